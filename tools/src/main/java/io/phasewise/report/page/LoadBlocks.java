/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Table;
import io.phasewise.report.document.Text;
import io.phasewise.report.latency.Latency;
import io.phasewise.report.load.HandlerPool;
import io.phasewise.report.load.Load;
import io.phasewise.report.review.Review;
import io.phasewise.report.stats.QueueCurve;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How much load there is, how much more there could be, and how evenly it lies. */
final class LoadBlocks {

    private final Load load;
    private final Latency latency;
    private final TextFormat format;

    LoadBlocks(Review review, TextFormat format) {
        this.load = review.load();
        this.latency = review.latency();
        this.format = format;
    }

    List<Block> headroom() {
        if (load.quantities().isEmpty() && load.resources().isEmpty()) {
            return noMetrics("; load and headroom need the brokers' exporter, scraped by that job.");
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(quantities());
        blocks.add(resources());
        if (load.p99Against().isEmpty()) {
            blocks.add(new Paragraph(curve() + " " + pool()));
        } else {
            blocks.add(new Note("No curve of p99 against utilisation is drawn on: " + load.p99Against() + "."));
            blocks.add(new Paragraph(pool()));
        }
        if (!load.points().isEmpty()) {
            blocks.add(Chart.load(
                    load, latency.window().block(), latency.objective().target()));
        }
        blocks.add(new Paragraph(
                limit() + " Load could grow " + TextFormat.factor(load) + ", if it grew alike everywhere. " + end()));
        return blocks;
    }

    private Table quantities() {
        Table table = new Table("Load, and its growth by day")
                .words("What")
                .numbers("Mean", "Peak")
                .words("Growth");
        for (Load.Quantity each : load.quantities()) {
            table.row(
                    each.name(),
                    TextFormat.amount(each.mean(), each.unit()),
                    TextFormat.amount(each.peak(), each.unit()),
                    TextFormat.month(each.trend()).toString());
        }
        return table;
    }

    private Table resources() {
        Table table = new Table("How busy the busiest broker is")
                .words("Resource")
                .numbers("Mean", "In busy hours (the level 95 of 100 do not exceed)");
        for (Load.Resource each : load.resources()) {
            table.row(each.name(), TextFormat.percent(each.mean()), TextFormat.percent(each.busy()));
        }
        return table;
    }

    private String curve() {
        QueueCurve curve = load.p99();
        return ("p99 end to end against utilisation: %s + %s x wait relative to that at half busy (Sakasegawa, %s)."
                        + " The curve explains %s of what was seen, between %s and %s busy.")
                .formatted(
                        TextFormat.latency(curve.base()),
                        TextFormat.slope(curve),
                        TextFormat.plural(load.pool().servers(), "server"),
                        TextFormat.percent(curve.explained()),
                        TextFormat.percent(curve.least()),
                        TextFormat.percent(curve.most()));
    }

    private String pool() {
        HandlerPool pool = load.pool();
        String threads = pool.threads() > 0
                ? "num.io.threads is " + pool.threads()
                : "num.io.threads is not in the data, Kafka's default is taken";
        String processors = pool.processors() == 0
                ? "; how many processors the broker has is not in the data."
                : pool.processorBound()
                        ? ", and the handlers compute, on " + TextFormat.plural(pool.processors(), "processor") + "."
                        : ", and the handlers wait more than they compute.";
        return "The curve takes the request handlers as " + TextFormat.plural(pool.servers(), "server") + ": " + threads
                + processors;
    }

    private String limit() {
        String most = TextFormat.percent(load.p99().most());
        if (load.ruleOfThumb()) {
            return "Headroom is until %s busy, a rule of thumb: by the formula the wait there is %s times that at half busy."
                    .formatted(TextFormat.chosenPercent(load.until()), TextFormat.digits(load.waitAtLimit()));
        }
        if (load.atLeast()) {
            return "By the curve p99 stays within the target up to %s busy. That is as far as it may be drawn on: 15 points above the highest utilisation seen (%s)."
                    .formatted(TextFormat.percent(load.until()), most);
        }
        boolean beyond = load.limit().value() > load.p99().most();
        return "p99 reaches the target at " + TextFormat.limit(load) + " busy"
                + (beyond
                        ? ", which lies beyond the highest utilisation seen (" + most + "): it is drawn on from there."
                        : ".");
    }

    private String end() {
        if (!load.end().known()) {
            return "For when that ends no date is given: bytes in show no clear growth over two whole weeks or more.";
        }
        Instant from = latency.window().to();
        return "It ends, if bytes in go on to grow by the same share, "
                + (TextFormat.far(load.end().exponential())
                        ? "not within ten years"
                        : "on " + format.date(load.end().exponential(), from))
                + format.between(load.end(), from) + ".";
    }

    static List<Block> balance(Load load) {
        if (load.balance().isEmpty()) {
            return noMetrics(".");
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Paragraph("Latency by leader is among the percentiles."));
        Table table = new Table("Across the brokers")
                .words("What")
                .numbers("Mean of a broker", "Most", "Most / mean")
                .words("Broker with most");
        for (Load.Balance each : load.balance()) {
            table.row(
                    each.name(),
                    TextFormat.amount(each.mean(), each.unit()),
                    TextFormat.amount(each.most(), each.unit()),
                    TextFormat.digits(each.mostByMean()),
                    "broker " + each.broker());
        }
        blocks.add(table);
        if (load.replicated() > 0) {
            blocks.add(
                    new Paragraph(("Brokers replicate %s bytes for each that producers write. In the steady state that"
                                    + " is the replication factor less one, weighted by traffic (%s). More means"
                                    + " reassignments or recoveries.")
                            .formatted(
                                    TextFormat.digits(load.replicated()), TextFormat.digits(load.replicated() + 1))));
        }
        if (!load.uneven().isEmpty()) {
            blocks.add(new Note("Uneven (one broker has more than half as much again as the mean): "
                    + String.join(", ", load.uneven()) + "."));
        }
        return blocks;
    }

    private static List<Block> noMetrics(String end) {
        return List.of(new Note(Text.of("The server has no metrics of this cluster's brokers from a job ")
                .code("kafka-broker")
                .words(end)));
    }
}
