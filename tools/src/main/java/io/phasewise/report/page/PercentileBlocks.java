/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Table;
import io.phasewise.report.document.Value;
import io.phasewise.report.latency.Latency;
import io.phasewise.report.latency.Latency.Leader;
import io.phasewise.report.latency.Latency.PhaseRow;
import io.phasewise.report.latency.Latency.Slot;
import io.phasewise.report.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Latencies of the whole path, of phases, of leaders, and of times. */
final class PercentileBlocks {

    /** Further leaders are not drawn: the names would be too small. */
    private static final int DRAWN = 12;

    /** Further leaders are only in report.json. */
    private static final int LEADERS = 20;

    private PercentileBlocks() {}

    static List<Block> of(Latency latency) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Paragraph("Each value with its 95\u00a0% interval. A percentile is of all probes that ended;"
                + " those that were lost count as slower than any other. Percentiles of phases do not add up; means do."
                + " Phases are of the probes that came back."));
        if (!latency.form().isNative()) {
            blocks.add(new Note("The server keeps classic histograms, whose buckets are about 26\u00a0% wide: intervals"
                    + " reach to the ends of the buckets. Native histograms tell within 1\u00a0%."));
        }
        blocks.add(levels(latency));
        blocks.add(chart(latency));
        Estimate without = latency.firstWithoutInterval();
        if (without != null) {
            blocks.add(new Note(("[unknown] means that the slow probes are too few for an interval, or came together:"
                            + " the value is what was seen, and the truth may be far from it. End to end, %s is"
                            + " the first of these: its interval takes %s independent probes, and those seen are worth"
                            + " %s. A longer window, or a higher probe.rate, gives more.")
                    .formatted(
                            TextFormat.level(without.p()),
                            TextFormat.count(Math.ceil(without.needed())),
                            TextFormat.count(without.effective()))));
        }
        if (latency.slowInAll() > 0) {
            blocks.add(slow(latency));
        }
        if (!latency.leaders().isEmpty()) {
            blocks.add(leaders(latency.leaders()));
            blocks.add(Chart.rows(
                    "p50, p99 and p99.9 by leader, highest p99 first",
                    latency.leaders().stream()
                            .limit(DRAWN)
                            .map(each ->
                                    new Chart.Row("broker " + each.id(), List.of(each.p50(), each.p99(), each.p999())))
                            .toList()));
        }
        if (!latency.days().isEmpty()) {
            blocks.add(Chart.days(latency.days(), latency.objective().target()));
            blocks.add(new Paragraph("Trend: p50 " + TextFormat.month(latency.p50Trend()) + "; p99 "
                    + TextFormat.month(latency.p99Trend()) + "."));
            blocks.add(slots("By day (whole days)", latency.days()));
        }
        if (!latency.hours().isEmpty()) {
            blocks.add(slots("By hour of the day", latency.hours()));
        }
        if (!latency.weekdays().isEmpty()) {
            blocks.add(slots("By weekday", latency.weekdays()));
        }
        return blocks;
    }

    private static Table levels(Latency latency) {
        Table table = new Table("Percentiles").words("Path or phase").numbers("Mean");
        Latency.LEVELS.forEach(p -> table.numbers(TextFormat.level(p)));
        table.row(row("end to end", latency.mean(), latency.endToEnd()));
        for (PhaseRow each : latency.rows()) {
            table.row(row(each.name(), each.mean(), each.levels()));
        }
        return table;
    }

    private static List<Value> row(String name, double mean, List<Estimate> levels) {
        return Stream.concat(
                        Stream.of(Value.of(name), Value.of(TextFormat.latency(mean))),
                        levels.stream().map(TextFormat::estimate))
                .toList();
    }

    private static Block chart(Latency latency) {
        Stream<Chart.Row> phases =
                latency.rows().stream().map(each -> new Chart.Row(each.name(), drawn(each.levels())));
        return Chart.rows(
                "p50, p90, p99 and p99.9 of the whole path and of each phase",
                Stream.concat(Stream.of(new Chart.Row("end to end", drawn(latency.endToEnd()))), phases)
                        .toList());
    }

    private static List<Estimate> drawn(List<Estimate> all) {
        return Stream.of(0.5, 0.9, 0.99, 0.999)
                .map(p -> all.get(Latency.LEVELS.indexOf(p)))
                .toList();
    }

    private static Table slow(Latency latency) {
        Table table = new Table("What the probes that missed the target spent their time in")
                .words("Phase")
                .numbers("Share", "Seconds");
        for (PhaseRow each : latency.rows()) {
            table.row(
                    each.name(), TextFormat.percent(each.slow() / latency.slowInAll()), TextFormat.digits(each.slow()));
        }
        return table;
    }

    private static Table leaders(List<Leader> leaders) {
        int more = leaders.size() - LEADERS;
        Table table = new Table("By leader, highest p99 first; lost probes are slower than any other"
                        + (more > 0 ? " (" + more + " more in report.json)" : ""))
                .words("Leader")
                .numbers("Probes", "Missed the target", "Lost", "p50", "p99", "p99.9");
        leaders.stream()
                .limit(LEADERS)
                .forEach(each -> table.row(List.of(
                        Value.of("broker " + each.id() + (each.standsOut() ? " (stands out)" : "")),
                        Value.of(TextFormat.count(each.probes())),
                        Value.of(TextFormat.percent(each.missed())),
                        Value.of(TextFormat.count(each.lost())),
                        TextFormat.estimate(each.p50()),
                        TextFormat.estimate(each.p99()),
                        TextFormat.estimate(each.p999()))));
        return table;
    }

    private static Table slots(String caption, List<Slot> slots) {
        Table table = new Table(caption).words("Time").numbers("p50", "p99");
        for (Slot each : slots) {
            table.row(List.of(Value.of(each.name()), TextFormat.estimate(each.p50()), TextFormat.estimate(each.p99())));
        }
        return table;
    }
}
