/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.plan.Variant;
import io.phasewise.experiments.statistics.Comparison;
import io.phasewise.experiments.statistics.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result as one HTML page that loads nothing: drawings, tables, how to do it again. */
public final class Html {
    private final Result result;
    private final String json;

    /**
     * @param json the result in full, to be carried along
     */
    public Html(Result result, String json) {
        this.result = result;
        this.json = json;
    }

    /** The page. */
    public String page() {
        StringBuilder html = new StringBuilder(64_000);
        html.append("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>")
                .append("<meta name='viewport' content='width=device-width, initial-scale=1'>")
                .append("<title>")
                .append(escaped(result.experiment().name()))
                .append(", Phasewise lab</title>\n<style>")
                .append(
                        "body{font:15px/1.5"
                            + " system-ui,sans-serif;color:#1f2328;background:#fff;max-width:80rem;margin:2rem"
                            + " auto;padding:0 1rem}"
                            + "table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1rem"
                            + " 0}td,th{border-bottom:1px solid #d1d9e0;padding:.25rem"
                            + " .6rem;text-align:right}td:first-child,th:first-child,.facts"
                            + " td{text-align:left}.wide table{font-size:13px}.wide"
                            + " td{white-space:nowrap}.verdicts"
                            + " :is(td,th):nth-child(-n+3){text-align:left}.verdicts"
                            + " td:nth-child(3){white-space:normal;min-width:11rem;font-weight:600}"
                            + "svg{max-width:100%;height:auto}"
                            + ".wide{overflow-x:auto}pre{background:#f6f8fa;padding:1rem;"
                            + "white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}i{display:inline-block;width:.8em;height:.8em;margin:0"
                            + " .3em 0 1em}@media"
                            + " print{@page{margin:15mm}body{margin:0;max-width:none;font-size:10pt;"
                            + "-webkit-print-color-adjust:exact;print-color-adjust:exact}td,th{padding:.15rem"
                            + " .35rem;font-size:8.5pt}.wide{overflow:visible}"
                            + "pre{white-space:pre-wrap;overflow-wrap:anywhere}details{display:none}"
                            + "h2,h2+p{break-after:avoid}svg,tr{break-inside:avoid}}")
                .append("</style></head><body>\n<h1>")
                .append(escaped(result.experiment().name()))
                .append("</h1>\n<p>")
                .append(escaped(result.experiment().about()))
                .append("</p>\n<p><b>Expected:</b> ")
                .append(escaped(result.experiment().expected()))
                .append("</p>\n");
        variants(html);
        html.append("<h2>What differs</h2>\n");
        Tables tables = new Tables(result);
        write(html, "wide verdicts", tables.differences());
        html.append("<h2>Where the time goes</h2>\n").append(Charts.phases(result.summaries()));
        phases(html);
        html.append("<h2>How long probes took</h2>\n<p>Share that took longer.");
        legend(html);
        html.append("</p>\n").append(Charts.tails(latencies()));
        write(html, "wide", tables.latencies("variant, ms"));
        html.append("<h2>Turn by turn</h2>\n<p>Median of every turn, in milliseconds.");
        legend(html);
        html.append("</p>\n").append(Charts.turns(result.summaries()));
        for (Grid grid : tables.all()) {
            html.append("<h2>").append(escaped(grid.title())).append("</h2>\n");
            write(html, "wide", grid);
        }
        html.append("<h2>How it was done</h2>\n<pre>")
                .append(escaped(result.command()))
                .append("</pre>\n<p>")
                .append(escaped(new TextReport(result).method()))
                .append("</p>\n<table class='facts'>");
        result.surroundings()
                .circumstances()
                .forEach(
                        (name, value) ->
                                html.append("<tr><td>")
                                        .append(escaped(name))
                                        .append("</td><td>")
                                        .append(escaped(value))
                                        .append("</td></tr>\n"));
        html.append("</table>\n<details><summary>All of it as JSON</summary><pre>")
                .append(escaped(json))
                .append("</pre></details>\n</body></html>\n");
        return html.toString();
    }

    /** What goes on in those variants in which something does. */
    private void variants(StringBuilder html) {
        for (Variant variant : result.plan().variants()) {
            variant.fault()
                    .ifPresent(
                            fault ->
                                    html.append("<p><b>")
                                            .append(escaped(variant.name()))
                                            .append(":</b> ")
                                            .append(escaped(fault.about()))
                                            .append("</p>\n"));
        }
    }

    private Map<String, double[]> latencies() {
        Map<String, double[]> all = new LinkedHashMap<>();
        for (Summary each : result.summaries()) {
            all.put(each.variant(), Summary.latencies(result.turnsOf(each.variant())));
        }
        return all;
    }

    private void legend(StringBuilder html) {
        int number = 0;
        for (Summary each : result.summaries()) {
            html.append("<i style='background:")
                    .append(Charts.colour(number++))
                    .append("'></i>")
                    .append(escaped(each.variant()));
        }
    }

    private void phases(StringBuilder html) {
        List<String> headings = new ArrayList<>(List.of("mean of each phase, ms"));
        for (Phase phase : Phase.values()) {
            headings.add(phase.label());
        }
        head(html, "wide", headings.toArray(String[]::new));
        for (Comparison each : result.comparisons()) {
            List<String> cells = new ArrayList<>(List.of(TextReport.more(each)));
            each.phaseDifference().values().forEach(d -> cells.add(TextReport.interval(d)));
            row(html, cells.toArray(String[]::new));
        }
        html.append("</table></div>\n");
    }

    private static void write(StringBuilder html, String classes, Grid grid) {
        head(html, classes, grid.headings().toArray(String[]::new));
        grid.rows().forEach(row -> row(html, row.toArray(String[]::new)));
        html.append("</table></div>\n");
    }

    private static void head(StringBuilder html, String classes, String... cells) {
        html.append("<div class='").append(classes).append("'><table><tr>");
        for (String cell : cells) {
            html.append("<th>").append(escaped(cell)).append("</th>");
        }
        html.append("</tr>\n");
    }

    private static void row(StringBuilder html, String... cells) {
        html.append("<tr>");
        for (String cell : cells) {
            html.append("<td>").append(escaped(cell)).append("</td>");
        }
        html.append("</tr>\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;");
    }
}
