/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import io.phasewise.report.document.Block.Findings;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Document.Section;
import io.phasewise.report.document.Table.Column;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes a report as Markdown: CommonMark with the tables of GitHub. A paragraph, a finding and a
 * note are a line each, and figures are left out.
 */
public final class MarkdownWriter {

    /** Characters that CommonMark or GitHub takes for markup in any place. */
    private static final String MARKUP = "\\`*_|~#";

    /** Where one of these follows a closing bracket, the brackets' content is a link. */
    private static final String LINK = "([:";

    private final StringBuilder text = new StringBuilder();

    private MarkdownWriter() {}

    /** The whole report. */
    public static String written(Document document) {
        MarkdownWriter writer = new MarkdownWriter();
        writer.text.append("# ").append(escaped(document.title())).append('\n');
        writer.lines(escaped(document.subtitle()));
        for (Section section : document.sections()) {
            writer.lines("## " + escaped(section.title()));
            section.blocks().forEach(writer::block);
        }
        return writer.text.toString();
    }

    private void block(Block block) {
        if (block instanceof Paragraph paragraph) {
            lines(inline(paragraph.text()));
        } else if (block instanceof Note note) {
            lines("> **Note.** " + inline(note.text()));
        } else if (block instanceof Findings findings) {
            lines(findings.all().stream()
                    .map(each -> "- **" + escaped(each.subject()) + "**: " + escaped(each.text()))
                    .collect(Collectors.joining("\n")));
        } else if (block instanceof Table table) {
            table(table);
        }
    }

    private void table(Table table) {
        lines("*" + escaped(table.caption()) + "*");
        lines(row(table.columns().stream().map(Column::name).toList()));
        text.append('|');
        for (int i = 0; i < table.columns().size(); i++) {
            text.append(table.columns().get(i).numbers() ? "--:|" : i == 0 ? "---|" : ":--|");
        }
        text.append('\n');
        for (List<Value> cells : table.rows()) {
            text.append(row(cells.stream().map(Value::toString).toList())).append('\n');
        }
    }

    private static String row(List<String> cells) {
        return cells.stream()
                .map(each -> each.isEmpty() ? " |" : " " + escaped(each) + " |")
                .collect(Collectors.joining("", "|", ""));
    }

    /** Appends lines after an empty line. */
    private void lines(String markdown) {
        text.append('\n').append(markdown).append('\n');
    }

    private static String inline(Text text) {
        return text.spans().stream()
                .map(span -> span.code() ? "`" + span.words() + "`" : escaped(span.words()))
                .collect(Collectors.joining());
    }

    /**
     * Escapes what Markdown would take for markup. White space of any kind becomes a space, because
     * people also read Markdown as plain text, and a line break would end a row of a table.
     */
    private static String escaped(String words) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < words.length(); i++) {
            char each = words.charAt(i);
            if (MARKUP.indexOf(each) >= 0
                    || each == ']' && i + 1 < words.length() && LINK.indexOf(words.charAt(i + 1)) >= 0) {
                escaped.append('\\').append(each);
            } else if (each == '<') {
                escaped.append("&lt;");
            } else if (each == '&') {
                escaped.append("&amp;");
            } else if (Character.isWhitespace(each) || Character.isSpaceChar(each)) {
                escaped.append(' ');
            } else {
                escaped.append(each);
            }
        }
        return escaped.toString();
    }
}
