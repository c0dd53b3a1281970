/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.report.document.Block.Figure;
import io.phasewise.report.document.Block.Finding;
import io.phasewise.report.document.Block.Findings;
import io.phasewise.report.document.Block.Mood;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Document.Section;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each kind of block is in each of the two forms, whatever its text holds. */
class WritersTest {

    private static final String NASTY = "<i a=\"b\">&amp; *c* _d_ `e` [f](g) | \\ ~~h~~ #\r\ni";

    private static final String NASTY_HTML = "&lt;i a=&quot;b&quot;&gt;&amp;amp; *c* _d_ `e` [f](g) | \\ ~~h~~ #\r\ni";

    private static final String NASTY_MARKDOWN =
            "&lt;i a=\"b\">&amp;amp; \\*c\\* \\_d\\_ \\`e\\` [f\\](g) \\| \\\\ \\~\\~h\\~\\~ \\#  i";

    @Test
    void textIsTextInHtmlWhereverItStands() {
        String html = HtmlWriter.written(everywhere(NASTY));

        assertThat(html).doesNotContain("<i a").doesNotContain("&amp; ");
        assertThat(html)
                .contains("<title>" + NASTY_HTML + "</title>")
                .contains("<h1>" + NASTY_HTML + "</h1>\n<p>" + NASTY_HTML + "</p>")
                .contains("<h2 id=\"" + NASTY_HTML.replace(' ', '-') + "-title\">" + NASTY_HTML + "</h2>")
                .contains("<p>" + NASTY_HTML + "</p>\n<blockquote>")
                .contains("<strong>Note.</strong> " + NASTY_HTML + "<code>--a &lt;b&gt;</code></p>")
                .contains("<li class=\"bad\"><strong>" + NASTY_HTML + "</strong>" + NASTY_HTML + "</li>")
                .contains("<caption>" + NASTY_HTML + "</caption>")
                .contains("<th scope=\"row\">" + NASTY_HTML + "</th>")
                .contains("aria-label=\"" + NASTY_HTML + ". " + NASTY_HTML + "\"")
                .contains("y=\"2.3\">" + NASTY_HTML + "</text>")
                .contains("<figcaption>" + NASTY_HTML + "</figcaption>");
    }

    @Test
    void textIsTextInMarkdownWhereverItStandsAndStaysOnItsLine() {
        assertThat(MarkdownWriter.written(everywhere(NASTY))).isEqualTo("""
                        # @

                        @

                        ## @

                        @

                        > **Note.** @`--a <b>`

                        - **@**: @

                        *@*

                        | @ | @ |
                        |---|--:|
                        | @ | @ |
                        """.replace("@", NASTY_MARKDOWN));
    }

    @Test
    void anIntervalStandsApartFromANumberAndWithinWords() {
        Table table = new Table("all").words("What").numbers("Number").words("Words");
        table.row(List.of(Value.of("p99"), new Value("5\u00a0ms", "[4, 6]"), new Value("5\u00a0ms", "[4, 6]")));
        table.row("none", "", "");
        Document document = new Document("t", "s", List.of(new Section("Facts", List.of(table))));

        assertThat(HtmlWriter.written(document))
                .contains("<tr><th scope=\"col\">What</th><th scope=\"col\">Number</th>"
                        + "<th scope=\"col\" class=\"text\">Words</th></tr>")
                .contains("<tr><th scope=\"row\">p99</th><td>5\u00a0ms <span class=\"interval\">[4, 6]</span></td>"
                        + "<td class=\"text\">5\u00a0ms [4, 6]</td></tr>")
                .contains("<tr><th scope=\"row\">none</th><td></td><td class=\"text\"></td></tr>");
        assertThat(MarkdownWriter.written(document))
                .contains("|---|--:|:--|\n| p99 | 5 ms [4, 6] | 5 ms [4, 6] |\n| none | | |\n");
    }

    @Test
    void aFigureIsDrawnInHtmlAndLeftOutOfMarkdown() {
        Shape line = Shape.of("line", "grid").with("x1", 1).with("y1", 4.25);
        Figure figure = new Figure("caption", "a line", 20, 10, List.of(line));
        Document document = new Document("t", "s", List.of(new Section("Facts", List.of(figure))));

        assertThat(HtmlWriter.written(document)).contains("""
                        <figure aria-label="caption. a line" role="group" tabindex="0">
                        <svg viewBox="0 0 20 10" width="20" height="10" role="presentation" focusable="false">
                        <line class="grid" x1="1.0" y1="4.3"/>
                        </svg>
                        <figcaption>caption</figcaption>
                        </figure>
                        """);
        assertThat(MarkdownWriter.written(document)).isEqualTo("# t\n\ns\n\n## Facts\n");
    }

    @Test
    void theContentsStandBelowTheFirstSectionAndNameTheOthers() {
        Document document = new Document(
                "t", "s", List.of(new Section("Verdict", List.of()), new Section("Load and headroom", List.of())));

        assertThat(HtmlWriter.written(document))
                .contains("</section>\n<nav aria-label=\"Sections\"><ul>\n"
                        + "<li><a href=\"#load-and-headroom\">Load and headroom</a></li>\n</ul></nav>\n"
                        + "<section id=\"load-and-headroom\" aria-labelledby=\"load-and-headroom-title\">");
    }

    @Test
    void aRowHasACellForEachColumn() {
        Table table = new Table("all").words("What").numbers("Number");

        assertThatThrownBy(() -> table.row("one"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("all: 1 cells for 2 columns");
    }

    /** A report with the same text in every place that holds any. */
    private static Document everywhere(String text) {
        Table table = new Table(text).words(text).numbers(text);
        table.row(text, text);
        Shape label = Shape.of("text", "tick").with("y", 2.25).saying(text);
        List<Block> blocks = List.of(
                new Paragraph(text),
                new Note(Text.of(text).code("--a <b>")),
                new Findings(List.of(new Finding(text, Mood.BAD, text))),
                table,
                new Figure(text, text, 10, 10, List.of(label)));
        return new Document(text, text, List.of(new Section(text, blocks)));
    }
}
