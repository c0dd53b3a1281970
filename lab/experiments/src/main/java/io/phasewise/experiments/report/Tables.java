/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.experiments.run.Circumstances;
import io.phasewise.experiments.statistics.Comparison;
import io.phasewise.experiments.statistics.Difference;
import io.phasewise.experiments.statistics.LeaderSummary;
import io.phasewise.experiments.statistics.Percentile;
import io.phasewise.experiments.statistics.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** Those tables of a result that Markdown and HTML have in common. */
final class Tables {
    private static final String NONE = "-";

    private final Result result;

    Tables(Result result) {
        this.result = result;
    }

    /**
     * How long probes took.
     *
     * @param first heading
     */
    Grid latencies(String first) {
        Grid grid =
                Grid.of(
                        "How long probes took",
                        List.of(
                                first, "probes", "min", "mean", "p50", "p75", "p99", "p99.9", "max",
                                "unseen", "stalled"));
        for (Summary each : result.summaries()) {
            grid.row(
                    List.of(
                            each.variant(),
                            Integer.toString(each.probes()),
                            TextReport.ms(each.min()),
                            TextReport.ms(each.mean()),
                            TextReport.ms(each.p50()),
                            TextReport.ms(each.p75()),
                            TextReport.ms(each.p99()),
                            TextReport.ms(each.p999()),
                            TextReport.ms(each.max()),
                            Long.toString(each.unseen()),
                            Long.toString(each.stalled())));
        }
        return grid;
    }

    /** What differs end to end, and whether that is claimed. */
    Grid differences() {
        return differences("What differs", "end to end", Comparison::endToEnd, Comparison::verdict);
    }

    private Grid differences(
            String title,
            String first,
            Function<Comparison, Difference> of,
            Function<Comparison, String> verdict) {
        Grid grid =
                Grid.of(
                        title,
                        List.of(
                                first,
                                "against",
                                "verdict",
                                "p50 ratio",
                                "p99 ratio",
                                "mean, ms more",
                                "missing, % more",
                                "KS distance",
                                "chance",
                                "repeats agreeing"));
        for (Comparison each : result.comparisons()) {
            Difference found = of.apply(each);
            grid.row(
                    List.of(
                            each.treatment(),
                            each.baseline(),
                            verdict.apply(each),
                            TextReport.interval(found.median()),
                            TextReport.interval(found.p99()),
                            TextReport.interval(found.mean()),
                            TextReport.interval(found.missing().times(100)),
                            TextReport.number("%.3f", found.distance()),
                            TextReport.number("%.3f", found.chance()),
                            found.agreeing() + " of " + each.repeats()));
        }
        return grid;
    }

    /** The others, in order. */
    List<Grid> all() {
        List<Grid> all =
                new ArrayList<>(
                        List.of(
                                percentiles(),
                                acknowledgements(),
                                differences(
                                        "What differs for the producer",
                                        "due to acknowledgement",
                                        Comparison::acknowledged,
                                        Comparison::producerVerdict)));
        // Where nothing is broken, brokers differ by chance only.
        if (result.experiment().needsFault()) {
            all.add(leaders());
        }
        all.add(around());
        return all;
    }

    /** "-" where there are too few probes for it. */
    private Grid percentiles() {
        List<String> headings = new ArrayList<>(List.of("end to end, ms, 95 % intervals", "n"));
        Percentile.SHARES.forEach(share -> headings.add(name(share)));
        Grid grid = Grid.of("Percentiles", headings);
        for (Summary each : result.summaries()) {
            List<String> cells = new ArrayList<>();
            cells.add(each.variant());
            cells.add(Integer.toString(each.probes()));
            for (double share : Percentile.SHARES) {
                cells.add(
                        result.percentiles().get(each.variant()).stream()
                                .filter(found -> found.share() == share)
                                .map(found -> TextReport.interval(found.milliseconds()))
                                .findFirst()
                                .orElse(NONE));
            }
            grid.row(cells);
        }
        return grid;
    }

    private static String name(double share) {
        double percent = Math.round(share * 1e6) / 1e4;
        return "p" + (percent == Math.rint(percent) ? Long.toString((long) percent) : percent + "");
    }

    private Grid acknowledgements() {
        Grid grid =
                Grid.of(
                        "What the producer waits for, and when consumers have it",
                        List.of(
                                "ms",
                                "acknowledged",
                                "due to acknowledgement, p50",
                                "p99",
                                "end to end, p50",
                                "p99"));
        for (Summary each : result.summaries()) {
            grid.row(
                    List.of(
                            each.variant(),
                            Long.toString(each.acknowledged()),
                            TextReport.ms(each.acknowledgedP50()),
                            TextReport.ms(each.acknowledgedP99()),
                            TextReport.ms(each.p50()),
                            TextReport.ms(each.p99())));
        }
        return grid;
    }

    private Grid leaders() {
        Grid grid =
                Grid.of(
                        "By leader",
                        List.of("end to end, ms", "leader", "probes", "p50", "p99", "max"));
        for (Summary each : result.summaries()) {
            for (Map.Entry<Integer, LeaderSummary> leader : each.leaders().entrySet()) {
                grid.row(
                        List.of(
                                each.variant(),
                                leader.getKey().toString(),
                                Integer.toString(leader.getValue().probes()),
                                TextReport.ms(leader.getValue().p50()),
                                TextReport.ms(leader.getValue().p99()),
                                TextReport.ms(leader.getValue().max())));
            }
        }
        return grid;
    }

    private Grid around() {
        TreeSet<String> others = new TreeSet<>();
        result.summaries().forEach(each -> others.addAll(each.circumstances().others().keySet()));
        List<String> headings =
                new ArrayList<>(
                        List.of(
                                "around it",
                                "load records/s",
                                "produce requests/s",
                                "queue, ms",
                                "waiting (Little)",
                                "handlers busy",
                                "busy over idle",
                                "processors busy"));
        headings.addAll(others);
        Grid grid = Grid.of("Around it", headings);
        for (Summary each : result.summaries()) {
            Circumstances around = each.circumstances();
            List<String> cells =
                    new ArrayList<>(
                            List.of(
                                    each.variant(),
                                    TextReport.number("%.0f", around.loadRecords()),
                                    TextReport.number("%.0f", around.produceRequests()),
                                    TextReport.number("%.3f", around.queueMillis()),
                                    TextReport.number("%.3f", around.waiting()),
                                    TextReport.number("%.2f %%", around.handlersBusy() * 100),
                                    TextReport.number("%.4f", around.busyOverIdle()),
                                    TextReport.number("%.0f %%", around.processorShare() * 100)));
            for (String other : others) {
                cells.add(
                        TextReport.number("%.2f", around.others().getOrDefault(other, Double.NaN)));
            }
            grid.row(cells);
        }
        return grid;
    }
}
