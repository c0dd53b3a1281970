/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import io.phasewise.report.document.Block.Column;
import io.phasewise.report.document.Block.Figure;
import io.phasewise.report.document.Block.Findings;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Block.Table;
import io.phasewise.report.document.Document.Section;
import io.phasewise.report.document.Text.Code;
import io.phasewise.report.document.Text.Span;
import io.phasewise.report.document.Text.Words;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes a report as Markdown: CommonMark with the tables of GitHub. A paragraph, a finding and a
 * note are a line each, and figures are left out.
 */
public final class MarkdownWriter implements Block.Writer {

    /** What CommonMark, or GitHub, takes for markup wherever it stands. */
    private static final String MARKUP = "\\`*_|~#";

    /** After a bracket's end these make a link of what is within. */
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
            section.blocks().forEach(block -> block.to(writer));
        }
        return writer.text.toString();
    }

    @Override
    public void paragraph(Paragraph paragraph) {
        lines(inline(paragraph.text()));
    }

    @Override
    public void note(Note note) {
        lines("> **Note.** " + inline(note.text()));
    }

    @Override
    public void findings(Findings findings) {
        lines(findings.all().stream()
                .map(each -> "- **" + escaped(each.subject()) + "**: " + escaped(each.text()))
                .collect(Collectors.joining("\n")));
    }

    @Override
    public void table(Table table) {
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

    @Override
    public void figure(Figure figure) {}

    private static String row(List<String> cells) {
        return cells.stream()
                .map(each -> each.isEmpty() ? " |" : " " + escaped(each) + " |")
                .collect(Collectors.joining("", "|", ""));
    }

    /** Below an empty line. */
    private void lines(String markdown) {
        text.append('\n').append(markdown).append('\n');
    }

    private static String inline(Text text) {
        return text.spans().stream().map(MarkdownWriter::inline).collect(Collectors.joining());
    }

    private static String inline(Span span) {
        return span instanceof Code code ? "`" + code.code() + "`" : escaped(((Words) span).words());
    }

    /**
     * Words as words, whatever Markdown would make of them. Lines and spaces are those of the
     * writer: Markdown is read as it stands too.
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
