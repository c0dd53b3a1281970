/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.common.file.JarResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableHead;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Emphasis;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * The Markdown of a report as one HTML file that needs nothing else: no script, no font, no picture
 * from elsewhere. The charts stand where the text names them.
 */
final class HtmlPage {

    /** A unit stays on the line of its number. */
    private static final Pattern UNIT = Pattern.compile("(?<=\\d) (?=(?:%|ms|s|min|h|days|[kMGT]?B(?:/s)?)(?![\\w]))");

    private static final Pattern INTERVAL = Pattern.compile("([^\\[]*) (\\[.*)");
    private static final Pattern COMMENT = Pattern.compile("<!--(?:chart:)?(\\w*)-->");

    /** Rows of a table that is not torn apart in print. */
    private static final int SHORT = 12;

    private final Map<String, Chart> charts;
    private final HtmlRenderer renderer;

    HtmlPage(Map<String, Chart> charts) {
        this.charts = charts;
        this.renderer = HtmlRenderer.builder()
                .escapeHtml(true)
                .nodeRendererFactory(Nodes::new)
                .build();
    }

    /** What stands below a heading; the body is HTML. */
    record Section(String title, StringBuilder body) {

        public String id() {
            return title.toLowerCase(Locale.ROOT).replace(' ', '-');
        }
    }

    String of(String markdown) {
        Parser parser =
                Parser.builder().extensions(List.of(TablesExtension.create())).build();
        List<Section> sections = new ArrayList<>();
        for (Node node = parser.parse(markdown).getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading) {
                sections.add(new Section(text(node), new StringBuilder()));
            } else {
                sections.get(sections.size() - 1).body().append(renderer.render(node));
            }
        }
        Section head = sections.remove(0);
        return Templates.html()
                .filled(
                        "page.peb",
                        Map.of(
                                "title", head.title(),
                                "subtitle", head.body(),
                                "sections", sections,
                                "style", JarResource.text(HtmlPage.class, "report.css")));
    }

    private static String text(Node node) {
        return TextContentRenderer.builder().build().render(node).strip();
    }

    /** What a report has otherwise than other Markdown. */
    private final class Nodes implements NodeRenderer {

        private final HtmlNodeRendererContext context;
        private final HtmlWriter html;

        Nodes(HtmlNodeRendererContext context) {
            this.context = context;
            this.html = context.getWriter();
        }

        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(
                    Text.class, HtmlBlock.class, HtmlInline.class, ListItem.class, Paragraph.class, TableBlock.class);
        }

        @Override
        public void render(Node node) {
            if (node instanceof Text text) {
                boolean named = node.getPrevious() instanceof StrongEmphasis;
                String words = worded(text.getLiteral());
                html.text(named ? words.replaceFirst("^: ", "") : words);
            } else if (node instanceof HtmlBlock block) {
                Chart chart = charts.get(comment(block.getLiteral()));
                if (chart != null) {
                    chart.write(html);
                }
            } else if (node instanceof ListItem item) {
                item(item);
            } else if (node instanceof TableBlock table) {
                table(table);
            } else if (node instanceof Paragraph && caption(node.getNext()) == null) {
                boolean inItem = node.getParent() instanceof ListItem;
                html.raw(inItem ? "" : "<p>");
                children(node);
                html.raw(inItem ? "" : "</p>\n");
            }
        }

        private void item(ListItem item) {
            Node last = item.getFirstChild().getLastChild();
            String mood = last instanceof HtmlInline mark ? comment(mark.getLiteral()) : "";
            html.raw("<li" + (mood.isEmpty() ? ">" : " class=\"" + mood + "\">"));
            children(item);
            html.raw("</li>\n");
        }

        /** What is wider than the window scrolls, and by the keyboard too. */
        private void table(TableBlock table) {
            String caption = worded(text(caption(table)));
            int rows = 0;
            for (Node row = table.getLastChild().getFirstChild(); row != null; rows++) {
                row = row.getNext();
            }
            html.tag(
                    "div",
                    new TreeMap<>(Map.of(
                            "class",
                            rows <= SHORT ? "wide short" : "wide",
                            "tabindex",
                            "0",
                            "role",
                            "region",
                            "aria-label",
                            caption)));
            html.raw("\n<table>\n<caption>");
            html.text(caption);
            html.raw("</caption>\n");
            for (Node part = table.getFirstChild(); part != null; part = part.getNext()) {
                String name = part instanceof TableHead ? "thead" : "tbody";
                html.raw("<" + name + ">\n");
                for (Node row = part.getFirstChild(); row != null; row = row.getNext()) {
                    html.raw("<tr>");
                    for (Node cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
                        cell((TableCell) cell);
                    }
                    html.raw("</tr>\n");
                }
                html.raw("</" + name + ">\n");
            }
            html.raw("</table>\n</div>\n");
        }

        /** An interval stands below its value, so that a row of them fits a page. */
        private void cell(TableCell cell) {
            boolean number = cell.getAlignment() == TableCell.Alignment.RIGHT;
            boolean heads = cell.isHeader() || cell.getPrevious() == null;
            html.raw(
                    heads
                            ? "<th scope=\"" + (cell.isHeader() ? "col\"" : "row\"")
                            : "<td" + (number ? "" : " class=\"text\""));
            boolean words = cell.isHeader() && !number && cell.getPrevious() != null;
            html.raw(words ? " class=\"text\">" : ">");
            boolean plain = number && cell.getFirstChild() instanceof Text;
            Matcher interval = INTERVAL.matcher(plain ? worded(((Text) cell.getFirstChild()).getLiteral()) : "");
            if (interval.matches()) {
                html.text(interval.group(1));
                html.raw(" <span class=\"interval\">");
                html.text(interval.group(2));
                html.raw("</span>");
            } else {
                children(cell);
            }
            html.raw(heads ? "</th>" : "</td>");
        }

        private void children(Node node) {
            for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
                context.render(child);
            }
        }

        private static String worded(String text) {
            return UNIT.matcher(text).replaceAll("\u00a0");
        }

        private static String comment(String literal) {
            Matcher matcher = COMMENT.matcher(literal.strip());
            return matcher.matches() ? matcher.group(1) : "";
        }

        /** The emphasised paragraph before a table; null for what is no table with one. */
        private static Node caption(Node table) {
            return table instanceof TableBlock
                            && table.getPrevious() instanceof Paragraph before
                            && before.getFirstChild() instanceof Emphasis
                            && before.getFirstChild() == before.getLastChild()
                    ? before
                    : null;
        }
    }
}
