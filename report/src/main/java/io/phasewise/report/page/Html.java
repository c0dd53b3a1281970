/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Document.Figure;
import io.phasewise.report.page.Document.Line;
import io.phasewise.report.page.Document.Part;
import io.phasewise.report.page.Document.Section;
import io.phasewise.report.page.Document.Table;
import io.phasewise.report.page.Document.Text;
import io.phasewise.report.page.Document.Warning;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A report as one HTML file that needs nothing else: no script, no font, no picture from elsewhere.
 */
final class Html {

    private static final Pattern INTERVAL = Pattern.compile("(.*?) (\\[.*)");

    /** A unit stays on the line of its number. */
    private static final Pattern UNIT =
            Pattern.compile("(?<=\\d) (?=(?:%|ms|s|min|h|days|[kMGT]?B(?:/s)?)(?![\\w]))");

    /** An option of the command is not broken at its dashes. */
    private static final Pattern OPTION = Pattern.compile("--[a-z]+(?:-[a-z]+)*");

    /** Words that stand in a column of numbers where there is none. */
    private static final Set<String> NO_NUMBER =
            Set.of("", "unknown", "no probes", "not enough probes", "never (lost)", "none");

    private static final int LONG = 16;

    /** Rows of a table that is not torn apart in print. */
    private static final int SHORT = 12;

    private final StringBuilder text = new StringBuilder();

    private Html() {}

    static String of(Document document) {
        Html html = new Html();
        html.page(document);
        return html.text.toString();
    }

    static String escaped(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private void page(Document document) {
        add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">");
        add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        // Nothing may be loaded, whatever a label of a series says.
        add(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
                        + " style-src 'unsafe-inline'\">");
        add("<title>" + escaped(document.title()) + "</title>");
        add("<style>\n" + style() + "</style>\n</head>\n<body>");
        add("<a class=\"skip\" href=\"#verdict\">To the verdict</a>");
        add("<header>\n<h1>" + escaped(document.title()) + "</h1>");
        add("<p>" + escaped(document.subtitle()) + "</p>\n</header>\n<main>");
        add("<section id=\"verdict\" aria-labelledby=\"verdict-title\">");
        add("<h2 id=\"verdict-title\">1. Verdict</h2>\n<dl>");
        for (Line line : document.verdict()) {
            add(
                    "<div class=\""
                            + line.mood().name().toLowerCase(Locale.ROOT)
                            + "\"><dt>"
                            + escaped(line.about())
                            + "</dt><dd>"
                            + worded(line.text())
                            + "</dd></div>");
        }
        add("</dl>\n</section>\n<nav aria-label=\"Sections\"><ul>");
        for (Section section : document.sections()) {
            add("<li><a href=\"#" + section.id() + "\">" + escaped(section.title()) + "</a></li>");
        }
        add("</ul></nav>");
        document.sections().forEach(this::section);
        add(
                "</main>\n"
                    + "<footer><p>Intervals hold the true value in 95 of 100 cases, with allowance"
                    + " for probes of one time being alike. How each number is worked out:"
                    + " docs/explanation/statistics.md of Phasewise.</p>");
        add("<p class=\"signed\"><span>Reviewed by</span><span>Date</span></p></footer>");
        add("</body>\n</html>");
    }

    private void section(Section section) {
        add("<section id=\"" + section.id() + "\" aria-labelledby=\"" + section.id() + "-title\">");
        add("<h2 id=\"" + section.id() + "-title\">" + escaped(section.title()) + "</h2>");
        section.parts().forEach(this::part);
        add("</section>");
    }

    private void part(Part part) {
        if (part instanceof Text plain) {
            add("<p>" + worded(plain.text()) + "</p>");
        } else if (part instanceof Warning warning) {
            add("<p class=\"warning\"><strong>Note.</strong> " + worded(warning.text()) + "</p>");
        } else if (part instanceof Table table) {
            table(table);
        } else if (part instanceof Figure figure) {
            add(
                    "<figure tabindex=\"0\" role=\"group\" aria-label=\""
                            + escaped(figure.caption() + ". " + figure.alternative())
                            + "\">");
            add(figure.svg());
            add("<figcaption>" + worded(figure.caption()) + "</figcaption>\n</figure>");
        }
    }

    private void table(Table table) {
        // What is wider than the window scrolls, and by the keyboard too.
        add(
                "<div class=\"wide"
                        + (table.rows().size() <= SHORT ? " short" : "")
                        + "\" tabindex=\"0\" role=\"region\" aria-label=\""
                        + escaped(table.caption())
                        + "\">\n<table>");
        add("<caption>" + worded(table.caption()) + "</caption>\n<thead><tr>");
        boolean[] text = new boolean[table.head().size()];
        for (int column = 0; column < text.length; column++) {
            text[column] = text(table, column);
            add(
                    "<th scope=\"col\""
                            + (text[column] ? " class=\"text\">" : ">")
                            + worded(table.head().get(column))
                            + "</th>");
        }
        add("</tr></thead>\n<tbody>");
        for (List<String> row : table.rows()) {
            StringBuilder cells =
                    new StringBuilder("<tr><th scope=\"row\">" + worded(row.get(0)) + "</th>");
            for (int column = 1; column < row.size(); column++) {
                cells.append(cell(row.get(column), text[column]));
            }
            add(cells + "</tr>");
        }
        add("</tbody>\n</table>\n</div>");
    }

    /**
     * An interval stands below its value, so that a row of them fits a page; sentences may wrap.
     */
    private static String cell(String words, boolean text) {
        Matcher matcher = INTERVAL.matcher(words);
        String inside =
                matcher.matches()
                        ? worded(matcher.group(1))
                                + " <span class=\"interval\">"
                                + worded(matcher.group(2))
                                + "</span>"
                        : worded(words);
        boolean wraps = words.length() > LONG && !matcher.matches();
        String style = (text ? "text" : "") + (text && wraps ? " " : "") + (wraps ? "words" : "");
        return (style.isEmpty() ? "<td>" : "<td class=\"" + style + "\">") + inside + "</td>";
    }

    /** Words begin at the left, numbers end at the right. */
    private static boolean text(Table table, int column) {
        return table.rows().stream()
                .map(row -> row.get(column))
                .anyMatch(cell -> !NO_NUMBER.contains(cell) && Character.isLetter(cell.charAt(0)));
    }

    private static String worded(String words) {
        String joined = UNIT.matcher(escaped(words)).replaceAll("\u00a0");
        return OPTION.matcher(joined).replaceAll("<code>$0</code>");
    }

    private void add(String line) {
        text.append(line).append('\n');
    }

    private static String style() {
        try (InputStream in = Html.class.getResourceAsStream("report.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
