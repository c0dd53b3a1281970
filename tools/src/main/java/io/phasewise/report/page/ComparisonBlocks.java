/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Table;
import io.phasewise.report.document.Value;
import io.phasewise.report.latency.Comparison;
import io.phasewise.report.latency.Comparison.Change;
import io.phasewise.report.latency.Comparison.Subject;
import io.phasewise.report.stats.Difference;
import java.util.ArrayList;
import java.util.List;

/** How the window differs from an earlier one. */
final class ComparisonBlocks {

    private ComparisonBlocks() {}

    static List<Block> of(Comparison comparison, TextFormat format) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                new Paragraph(("This window against %s to %s. A change is clear when its interval excludes no change,"
                                + " and chance alone explains it in fewer than 5 of 100 cases. That chance is for all changes"
                                + " of the table taken together (Holm).")
                        .formatted(
                                format.time(comparison.before().from()),
                                format.time(comparison.before().to()))));
        if (!comparison.alike()) {
            blocks.add(
                    new Note("The windows do not have the same hours of the week: a quiet weekend in one of them looks"
                            + " like a change. Compare whole weeks, or windows of the same length that begin whole weeks"
                            + " apart."));
        }
        Table table = new Table("Percentiles of both windows")
                .words("Path or phase")
                .numbers("Before", "Now", "Change", "Would be seen from")
                .words("Verdict");
        for (Subject subject : comparison.subjects()) {
            for (Change each : subject.changes()) {
                table.row(row(subject.title(), each));
            }
        }
        blocks.add(table);
        return blocks;
    }

    private static List<Value> row(String title, Change change) {
        Difference difference = change.difference();
        boolean known = difference.known();
        String verdict = change.clear()
                ? difference.low() > 1 ? "clearly slower" : "clearly faster"
                : known ? "no clear change" : "";
        return List.of(
                Value.of(title + " " + TextFormat.level(difference.p())),
                TextFormat.estimate(difference.before()),
                TextFormat.estimate(difference.after()),
                known ? TextFormat.change(difference) : Value.of("not enough probes"),
                Value.of(known ? TextFormat.growth(difference.detectable()) : ""),
                Value.of(verdict));
    }
}
