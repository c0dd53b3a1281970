/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.statistics.Comparison;
import io.phasewise.experiments.statistics.Difference;
import io.phasewise.experiments.statistics.Interval;
import io.phasewise.experiments.statistics.Percentile;
import io.phasewise.experiments.statistics.Summary;
import io.phasewise.lab.measure.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A result as tables that read well on a terminal and are Markdown. */
public final class TextReport {
    private final Result result;

    public TextReport(Result result) {
        this.result = result;
    }

    /** All tables. */
    public String tables() {
        Tables tables = new Tables(result);
        List<String> all =
                new ArrayList<>(
                        List.of(
                                written(tables.latencies("variant")),
                                written(tables.differences()),
                                phases()));
        tables.all().forEach(grid -> all.add(written(grid)));
        return String.join("\n", all);
    }

    /** A page for the documents: the question, how it was put, the tables. */
    public String page() {
        StringBuilder page = new StringBuilder();
        page.append("# ").append(result.experiment().name()).append("\n\n");
        page.append(result.experiment().about()).append("\n\n");
        page.append("Expected: ").append(result.experiment().expected()).append("\n\n");
        page.append("```\n").append(result.command()).append("\n```\n\n");
        page.append("Run of ").append(result.started()).append(". ");
        page.append("Latencies in milliseconds.\n\n");
        page.append(method()).append("\n\n");
        result.surroundings()
                .circumstances()
                .forEach(
                        (name, value) ->
                                page.append("- ")
                                        .append(name)
                                        .append(": ")
                                        .append(value)
                                        .append('\n'));
        result.plan()
                .variants()
                .forEach(
                        variant ->
                                variant.fault()
                                        .ifPresent(
                                                fault ->
                                                        page.append("- ")
                                                                .append(variant.name())
                                                                .append(": ")
                                                                .append(fault.about())
                                                                .append('\n')));
        return page.append('\n').append(tables()).toString();
    }

    /** How it was measured and when a difference is claimed, for readers of the page. */
    String method() {
        Pace pace = result.pace();
        return String.format(
                Locale.ROOT,
                "%d turns of each variant, in an order drawn at random and backwards in the next"
                        + " repeat; %d s measured in each after %d s of warm-up that are cut."
                        + " Chance: how often blocks of %.1f s, dealt at random to both sides"
                        + " within each repeat, differ as much. Intervals: Student's, of one value"
                        + " from each repeat, %.2f %% each and so %.0f %% for the four together"
                        + " (Bonferroni). A difference is claimed when the chance is at most %s and"
                        + " one of the four intervals does not contain \"no change\" (1 for a"
                        + " ratio, 0 for a difference): of a hundred comparisons where nothing"
                        + " differs, at most %.0f would be. This page makes %d of each kind."
                        + " Intervals of phases are alike and tell where a difference lies; they"
                        + " claim none. A p99 ratio takes %d probes in every turn, a mean's"
                        + " difference no more than %.0f %% that are missing. A percentile's upper"
                        + " end that would be the slowest probe of all is not known (\"-\").",
                pace.repeats(),
                pace.measured().toSeconds(),
                pace.warmUp().toSeconds(),
                pace.block().toMillis() / 1e3,
                100 * (1 - Difference.ERROR / Difference.LOOKS),
                100 * (1 - Difference.ERROR),
                Difference.LEVEL,
                100 * Difference.ERROR,
                result.comparisons().size(),
                Percentile.needed(0.99),
                100 * Difference.MOST_MISSING);
    }

    private static String written(Grid grid) {
        Table table = new Table(grid.headings().toArray(String[]::new));
        grid.rows().forEach(row -> table.row(row.toArray(String[]::new)));
        return table.toString();
    }

    private String phases() {
        List<String> headings = new ArrayList<>(List.of("mean of each phase, ms"));
        for (Phase phase : Phase.values()) {
            headings.add(phase.label());
        }
        Table table = new Table(headings.toArray(String[]::new));
        for (Summary each : result.summaries()) {
            List<String> cells = new ArrayList<>(List.of(each.variant()));
            each.phases().values().forEach(mean -> cells.add(ms(mean)));
            table.row(cells.toArray(String[]::new));
        }
        for (Comparison each : result.comparisons()) {
            List<String> cells = new ArrayList<>(List.of(more(each)));
            each.phaseDifference().values().forEach(more -> cells.add(interval(more)));
            table.row(cells.toArray(String[]::new));
        }
        return table.toString();
    }

    /** The first cell of a row of differences. */
    static String more(Comparison each) {
        return each.treatment() + ", more than " + each.baseline();
    }

    static String interval(Interval interval) {
        if (Double.isNaN(interval.estimate())) {
            return "-";
        }
        return ms(interval.estimate())
                + " ["
                + ms(interval.low())
                + ", "
                + ms(interval.high())
                + "]";
    }

    /** A percentile that falls among probes that did not come back has no number. */
    static String ms(double value) {
        return Double.isInfinite(value) ? "lost" : number("%.2f", value);
    }

    static String number(String format, double value) {
        return !Double.isFinite(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
