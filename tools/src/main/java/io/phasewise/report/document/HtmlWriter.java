/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import io.phasewise.common.file.JarResource;
import io.phasewise.report.document.Block.Figure;
import io.phasewise.report.document.Block.Finding;
import io.phasewise.report.document.Block.Findings;
import io.phasewise.report.document.Block.Mood;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Document.Section;
import io.phasewise.report.document.Table.Column;
import io.phasewise.report.document.Text.Span;
import java.util.List;
import java.util.Locale;

/**
 * Writes a report as one HTML file that needs nothing else: no script, no font, no picture from
 * elsewhere.
 */
public final class HtmlWriter {

    /** A table with at most this many rows is printed on one page. */
    private static final int SHORT = 12;

    private final StringBuilder html = new StringBuilder();

    private HtmlWriter() {}

    /** The whole report. */
    public static String written(Document document) {
        HtmlWriter writer = new HtmlWriter();
        writer.head(document);
        List<Section> sections = document.sections();
        for (int i = 0; i < sections.size(); i++) {
            writer.section(sections.get(i));
            if (i == 0) {
                writer.contents(sections.subList(1, sections.size()));
            }
        }
        writer.raw("""
                </main>
                <footer><p class="signed"><span>Reviewed by</span><span>Date</span></p></footer>
                </body>
                </html>
                """);
        return writer.html.toString();
    }

    /** Nothing may be loaded, whatever a label of a series says: the policy allows only the style. */
    private void head(Document document) {
        raw("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
                <title>""");
        text(document.title()).raw("</title>\n<style>\n");
        raw(JarResource.text(HtmlWriter.class, "report.css"));
        raw("""
                </style>
                </head>
                <body>
                <a class="skip" href="#verdict">To the verdict</a>
                <header>
                <h1>""");
        text(document.title()).raw("</h1>\n<p>").text(document.subtitle()).raw("</p>\n</header>\n<main>\n");
    }

    private void section(Section section) {
        String id = id(section);
        raw("<section")
                .attribute("id", id)
                .attribute("aria-labelledby", id + "-title")
                .raw(">\n");
        raw("<h2").attribute("id", id + "-title").raw(">").text(section.title()).raw("</h2>\n");
        section.blocks().forEach(this::block);
        raw("</section>\n");
    }

    private void contents(List<Section> sections) {
        raw("<nav aria-label=\"Sections\"><ul>\n");
        for (Section each : sections) {
            raw("<li><a").attribute("href", "#" + id(each)).raw(">");
            text(each.title()).raw("</a></li>\n");
        }
        raw("</ul></nav>\n");
    }

    private static String id(Section section) {
        return section.title().toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    private void block(Block block) {
        if (block instanceof Paragraph paragraph) {
            raw("<p>").inline(paragraph.text()).raw("</p>\n");
        } else if (block instanceof Note note) {
            raw("<blockquote>\n<p><strong>Note.</strong> ").inline(note.text()).raw("</p>\n</blockquote>\n");
        } else if (block instanceof Findings findings) {
            findings(findings);
        } else if (block instanceof Table table) {
            table(table);
        } else {
            figure((Figure) block);
        }
    }

    private void findings(Findings findings) {
        raw("<ul>\n");
        for (Finding each : findings.all()) {
            raw("<li");
            if (each.mood() != Mood.NEITHER) {
                attribute("class", each.mood().name().toLowerCase(Locale.ROOT));
            }
            raw("><strong>").text(each.subject()).raw("</strong>");
            text(each.text()).raw("</li>\n");
        }
        raw("</ul>\n");
    }

    /** A table that is wider than the window can be scrolled, with the keyboard too. */
    private void table(Table table) {
        raw("<div").attribute("aria-label", table.caption());
        attribute("class", table.rows().size() <= SHORT ? "wide short" : "wide");
        raw(" role=\"region\" tabindex=\"0\">\n<table>\n<caption>");
        text(table.caption()).raw("</caption>\n<thead>\n<tr>");
        List<Column> columns = table.columns();
        for (int i = 0; i < columns.size(); i++) {
            raw("<th scope=\"col\"").raw(i > 0 && !columns.get(i).numbers() ? " class=\"text\">" : ">");
            text(columns.get(i).name()).raw("</th>");
        }
        raw("</tr>\n</thead>\n<tbody>\n");
        for (List<Value> row : table.rows()) {
            raw("<tr><th scope=\"row\">").text(row.get(0).toString()).raw("</th>");
            for (int i = 1; i < row.size(); i++) {
                cell(columns.get(i), row.get(i));
            }
            raw("</tr>\n");
        }
        raw("</tbody>\n</table>\n</div>\n");
    }

    /** The interval of a number stands below it, so that a row of them fits a page. */
    private void cell(Column column, Value value) {
        if (!column.numbers()) {
            raw("<td class=\"text\">").text(value.toString()).raw("</td>");
        } else if (value.interval().isEmpty()) {
            raw("<td>").text(value.text()).raw("</td>");
        } else {
            raw("<td>").text(value.text()).raw(" <span class=\"interval\">");
            text(value.interval()).raw("</span></td>");
        }
    }

    private void figure(Figure figure) {
        raw("<figure").attribute("aria-label", figure.caption() + ". " + figure.alternative());
        raw(" role=\"group\" tabindex=\"0\">\n");
        String width = Integer.toString(figure.width());
        String height = Integer.toString(figure.height());
        raw("<svg").attribute("viewBox", "0 0 " + width + " " + height);
        attribute("width", width).attribute("height", height);
        raw(" role=\"presentation\" focusable=\"false\">\n");
        figure.shapes().forEach(this::shape);
        raw("</svg>\n<figcaption>").text(figure.caption()).raw("</figcaption>\n</figure>\n");
    }

    private void shape(Shape shape) {
        raw("<").raw(shape.element());
        shape.attributes().forEach(this::attribute);
        if (shape.words().isEmpty()) {
            raw("/>\n");
        } else {
            raw(">").text(shape.words()).raw("</").raw(shape.element()).raw(">\n");
        }
    }

    private HtmlWriter inline(Text text) {
        for (Span span : text.spans()) {
            if (span.code()) {
                raw("<code>").text(span.words()).raw("</code>");
            } else {
                text(span.words());
            }
        }
        return this;
    }

    private HtmlWriter attribute(String name, String value) {
        return raw(" ").raw(name).raw("=\"").text(value).raw("\"");
    }

    /** Text as text, whatever HTML would make of it; also within the quotes of an attribute. */
    private HtmlWriter text(String words) {
        for (int i = 0; i < words.length(); i++) {
            char each = words.charAt(i);
            switch (each) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                default -> html.append(each);
            }
        }
        return this;
    }

    private HtmlWriter raw(String markup) {
        html.append(markup);
        return this;
    }
}
