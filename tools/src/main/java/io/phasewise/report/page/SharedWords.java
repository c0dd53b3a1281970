/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block;
import io.phasewise.report.document.Block.Finding;
import io.phasewise.report.document.Block.Mood;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.Warnings;
import java.time.Instant;
import java.util.List;

/** Sentences that both kinds of report have: each stands here once. */
final class SharedWords {

    private SharedWords() {}

    /** Of which time and profile a report is. */
    static String windowOf(Window window, String zone, String profile, String site, TextFormat format) {
        return "%s to %s (%s, %s), profile %s%s. "
                .formatted(
                        format.time(window.from()),
                        format.time(window.to()),
                        zone,
                        TextFormat.duration(window.length()),
                        profile,
                        site.isEmpty() ? "" : ", site " + site);
    }

    /** When and from what it was made. */
    static String made(Instant at, String server, TextFormat format) {
        return "Made " + format.time(at) + " from " + server + ".";
    }

    /** Whether the data are whole; nothing where they are. */
    static List<Finding> verdict(Warnings warnings) {
        return warnings.texts().isEmpty()
                ? List.of()
                : List.of(new Finding(
                        "Data",
                        Mood.BAD,
                        "The server's answers may not be whole: any figure here may lack data. See the facts."));
    }

    /** The same among the facts, with what the server said. */
    static List<Block> note(Warnings warnings) {
        return warnings.texts().isEmpty()
                ? List.of()
                : List.of(new Note("The server's answers may not be whole, so that data may be missing from any figure"
                        + " here. It said: " + String.join(" | ", warnings.texts())));
    }

    /** What every report ends with. */
    static Block end() {
        return new Paragraph("Intervals hold the true value in 95 of 100 cases. How each number is worked out:"
                + " docs/explanation/statistics.md of Phasewise.");
    }

    /** What is said beside a percentile in a sentence of the verdict. */
    static String interval(boolean enough) {
        return enough
                ? ", with its 95\u00a0% interval"
                : "; its interval is unknown, as the slow probes are too few or came together";
    }
}
