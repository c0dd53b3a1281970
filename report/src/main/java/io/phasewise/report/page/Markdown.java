/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Document.Line;
import io.phasewise.report.page.Document.Part;
import io.phasewise.report.page.Document.Section;
import io.phasewise.report.page.Document.Table;
import io.phasewise.report.page.Document.Text;
import io.phasewise.report.page.Document.Warning;
import java.util.List;
import java.util.stream.Collectors;

/** A report as Markdown: words and tables, without the charts. */
final class Markdown {

    private Markdown() {}

    static String of(Document document) {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(escaped(document.title())).append("\n\n");
        text.append(escaped(document.subtitle())).append("\n\n## 1. Verdict\n\n");
        for (Line line : document.verdict()) {
            text.append("- **").append(escaped(line.about())).append("**: ");
            text.append(escaped(line.text())).append('\n');
        }
        for (Section section : document.sections()) {
            text.append("\n## ").append(escaped(section.title())).append('\n');
            section.parts().forEach(part -> text.append(of(part)));
        }
        text.append(
                "\n"
                    + "Intervals hold the true value in 95 of 100 cases. How each number is worked"
                    + " out: docs/explanation/statistics.md of Phasewise.\n");
        return text.toString();
    }

    private static String of(Part part) {
        if (part instanceof Text plain) {
            return "\n" + escaped(plain.text()) + "\n";
        }
        if (part instanceof Warning warning) {
            return "\n> **Note.** " + escaped(warning.text()) + "\n";
        }
        return part instanceof Table table ? table(table) : "";
    }

    private static String table(Table table) {
        StringBuilder text = new StringBuilder("\n*" + escaped(table.caption()) + "*\n\n");
        text.append(row(table.head()));
        text.append("|---").append("|---:".repeat(table.head().size() - 1)).append("|\n");
        table.rows().forEach(row -> text.append(row(row)));
        return text.toString();
    }

    private static String row(List<String> cells) {
        return cells.stream()
                .map(Markdown::escaped)
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String escaped(String words) {
        return words.replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("*", "\\*")
                .replace("_", "\\_")
                .replace('\n', ' ');
    }
}
