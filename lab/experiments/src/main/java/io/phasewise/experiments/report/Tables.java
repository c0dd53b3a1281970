/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import static io.phasewise.experiments.report.Figures.interval;
import static io.phasewise.experiments.report.Figures.milliseconds;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.statistics.Comparison;
import io.phasewise.experiments.statistics.Difference;
import io.phasewise.experiments.statistics.Percentile;
import io.phasewise.experiments.statistics.Summary;
import io.phasewise.experiments.statistics.Summary.Latency;
import io.phasewise.lab.measure.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The tables of a result, as Markdown that also reads well on a terminal. */
final class Tables {
    private static final String UNKNOWN = "-";

    private final List<Summary> summaries;
    private final List<Comparison> comparisons;
    private final boolean broken;

    /**
     * @param broken whether something was broken: where nothing is, brokers differ by chance only
     */
    Tables(List<Summary> summaries, List<Comparison> comparisons, boolean broken) {
        this.summaries = summaries;
        this.comparisons = comparisons;
        this.broken = broken;
    }

    /**
     * All of them, each below its heading.
     *
     * @param picture Markdown that stands above the table of the phases; may be empty
     */
    String text(String picture) {
        StringBuilder text = new StringBuilder();
        add(text, "What differs", differences(Comparison::endToEnd, Comparison::verdict));
        add(text, "Where the time goes", picture + phases());
        add(text, "How long probes took", latencies());
        add(
                text,
                "What the producer waits for",
                acknowledgements()
                        + "\n"
                        + differences(Comparison::acknowledged, Comparison::producerVerdict));
        if (broken) {
            add(text, "By leader", leaders());
        }
        add(text, "Around it", around());
        return text.toString();
    }

    private static void add(StringBuilder text, String heading, Object table) {
        text.append(text.length() == 0 ? "" : "\n").append("## " + heading + "\n\n").append(table);
    }

    private static Table table(List<String> headings, List<List<String>> rows) {
        Table table = new Table(headings.toArray(String[]::new));
        rows.forEach(row -> table.row(row.toArray(String[]::new)));
        return table;
    }

    private Table differences(
            Function<Comparison, Difference> of, Function<Comparison, String> verdict) {
        Table table =
                new Table(
                        "variant",
                        "against",
                        "verdict",
                        "p50 ratio",
                        "p99 ratio",
                        "mean, ms more",
                        "missing, % more",
                        "KS distance",
                        "chance",
                        "repeats agreeing");
        for (Comparison each : comparisons) {
            Difference found = of.apply(each);
            table.row(
                    each.treatment(),
                    each.baseline(),
                    verdict.apply(each),
                    interval(found.median()),
                    interval(found.p99()),
                    interval(found.mean()),
                    interval(found.missing().times(100)),
                    Figures.number("%.3f", found.distance()),
                    Figures.number("%.3f", found.chance()),
                    found.agreeing() + " of " + each.repeats());
        }
        return table;
    }

    private Table phases() {
        List<List<String>> rows = new ArrayList<>();
        for (Summary each : summaries) {
            List<String> row = new ArrayList<>(List.of(each.variant()));
            each.phases().values().forEach(mean -> row.add(milliseconds(mean)));
            rows.add(row);
        }
        for (Comparison each : comparisons) {
            String more = each.treatment() + ", more than " + each.baseline();
            List<String> row = new ArrayList<>(List.of(more));
            each.phaseDifference().values().forEach(difference -> row.add(interval(difference)));
            rows.add(row);
        }
        List<String> headings = new ArrayList<>(List.of("mean of each phase, ms"));
        for (Phase phase : Phase.values()) {
            headings.add(phase.label());
        }
        return table(headings, rows);
    }

    private Table latencies() {
        List<String> headings = new ArrayList<>(List.of("end to end, ms", "probes", "min", "mean"));
        Percentile.SHARES.forEach(share -> headings.add(name(share)));
        headings.addAll(List.of("max", "missing", "stalled"));
        List<List<String>> rows = new ArrayList<>();
        for (Summary each : summaries) {
            Latency all = each.endToEnd();
            List<String> row = new ArrayList<>(List.of(each.variant(), all.probes() + ""));
            row.addAll(List.of(milliseconds(all.min()), milliseconds(all.mean())));
            Percentile.SHARES.forEach(share -> row.add(percentile(each, share)));
            row.add(milliseconds(all.max()));
            row.addAll(List.of(all.probes() - all.present() + "", each.stalled() + ""));
            rows.add(row);
        }
        return table(headings, rows);
    }

    private String percentile(Summary of, double share) {
        return of.percentiles().stream()
                .filter(found -> found.share() == share)
                .map(found -> interval(found.milliseconds()))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** "p99.9". */
    private static String name(double share) {
        return "p" + String.valueOf(Math.round(share * 1e6) / 1e4).replaceFirst("\\.0$", "");
    }

    private Table acknowledgements() {
        Table table = new Table("due to acknowledgement, ms", "acknowledged", "p50", "p99");
        for (Summary each : summaries) {
            table.row(
                    each.variant(),
                    each.acknowledged().present() + " of " + each.acknowledged().probes(),
                    milliseconds(each.acknowledged().p50()),
                    milliseconds(each.acknowledged().p99()));
        }
        return table;
    }

    private Table leaders() {
        Table table = new Table("end to end, ms", "leader", "probes", "p50", "p99", "max");
        for (Summary each : summaries) {
            each.leaders()
                    .forEach(
                            (leader, of) ->
                                    table.row(
                                            each.variant(),
                                            leader.toString(),
                                            Integer.toString(of.probes()),
                                            milliseconds(of.p50()),
                                            milliseconds(of.p99()),
                                            milliseconds(of.max())));
        }
        return table;
    }

    private Table around() {
        List<String> headings = new ArrayList<>(List.of("around it"));
        headings.addAll(summaries.get(0).circumstances().figures().keySet());
        List<List<String>> rows = new ArrayList<>();
        for (Summary each : summaries) {
            List<String> row = new ArrayList<>(List.of(each.variant()));
            each.circumstances()
                    .figures()
                    .values()
                    .forEach(figure -> row.add(Figures.ofAnySize(figure)));
            rows.add(row);
        }
        return table(headings, rows);
    }
}
