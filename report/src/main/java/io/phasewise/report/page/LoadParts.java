/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Document.Line;
import io.phasewise.report.page.Document.Part;
import io.phasewise.report.page.Document.Table;
import io.phasewise.report.page.Document.Text;
import io.phasewise.report.page.Document.Warning;
import io.phasewise.report.review.HandlerPool;
import io.phasewise.report.review.Load;
import io.phasewise.report.review.Load.Balance;
import io.phasewise.report.review.Load.End;
import io.phasewise.report.review.Load.Quantity;
import io.phasewise.report.review.Load.Resource;
import io.phasewise.report.review.Review;
import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.QueueCurve.Limit;
import io.phasewise.report.stats.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Load, headroom and balance in words: what the verdict says of them, and their sections. */
final class LoadParts {

    private static final long FAR = 3650;
    private static final double UNEVEN = 1.5;
    private static final double LAW = 1;
    private static final String NEVER = "never";

    private final Review review;
    private final Load load;
    private final Words words;

    LoadParts(Review review, Words words) {
        this.review = review;
        this.load = review.load();
        this.words = words;
    }

    Line verdict() {
        if (load.resources().isEmpty()) {
            return ReviewDocument.plain(
                    "Growth", "Unknown: there are no brokers' metrics of how busy they are.");
        }
        Resource first = load.resources().get(0);
        String busy =
                "Busiest are the "
                        + first.name()
                        + ", "
                        + Words.percent(first.busy())
                        + " at the busiest broker in its busy hours. ";
        String about =
                load.ruleOfThumb()
                        ? "At what load p99 would break the target, these data do not say ("
                                + load.p99Against()
                                + "); until "
                                + Words.chosen(Words.percent(load.until()))
                                + " busy, by rule of thumb, load could grow "
                        : load.atLeast()
                                ? "Up to "
                                        + Words.percent(load.until())
                                        + " busy handlers p99 stays within the target; what comes"
                                        + " above, these data do not say. Until there load could"
                                        + " grow "
                                : "p99 would break the target at "
                                        + limit()
                                        + " busy handlers: load could grow ";
        return ReviewDocument.plain("Growth", busy + about + factor() + end());
    }

    private String factor() {
        return Double.isFinite(load.headroom())
                ? load.headroom() <= 1
                        ? "no more"
                        : (load.atLeast() ? "by a factor of at least " : "by a factor of ")
                                + Words.digits(load.headroom())
                : "by an unknown factor";
    }

    private String end() {
        End end = load.end();
        if (Double.isNaN(end.exponential())) {
            return "; growth is not clear, so no date is given.";
        }
        return "; at the growth of this window "
                + (Double.isInfinite(end.exponential()) || end.exponential() > FAR
                        ? "that is not within ten years."
                        : "until " + date(end.exponential()) + between(end) + ".");
    }

    /** The ends of the interval, where one of them is a date. */
    private String between(End end) {
        String earliest = date(end.earliest());
        String latest = date(end.latest());
        return earliest.equals(NEVER) && latest.equals(NEVER)
                ? ""
                : " (between " + earliest + " and " + latest + ")";
    }

    private String date(double days) {
        return Double.isInfinite(days) || days > FAR
                ? NEVER
                : words.time(
                                review.latency()
                                        .window()
                                        .to()
                                        .plus(Duration.ofHours(Math.round(24 * days))))
                        .substring(0, 10);
    }

    private String limit() {
        Limit limit = load.limit();
        return Words.percent(limit.value())
                + " ["
                + Words.percent(limit.low()).replace(" %", "")
                + ", "
                + (limit.high() > load.p99().farthest()
                        ? "above " + Words.percent(load.p99().farthest())
                        : Words.percent(limit.high()))
                + "]";
    }

    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        if (load.quantities().isEmpty() && load.resources().isEmpty()) {
            parts.add(
                    new Warning(
                            "The server has no metrics of this cluster's brokers; load and headroom"
                                    + " need the brokers' exporter."));
            return parts;
        }
        parts.add(quantities());
        parts.add(resources());
        parts.add(new Text(servers()));
        parts.add(curve());
        if (!load.p99Against().isEmpty()) {
            parts.add(
                    new Warning(
                            "No curve of p99 against utilisation is drawn on: "
                                    + load.p99Against()
                                    + "."));
        }
        if (!load.points().isEmpty()) {
            parts.add(
                    Charts.scatter(
                            "p99 end to end against how busy the busiest broker's handlers are, a"
                                    + " dot for each block of "
                                    + Words.duration(review.latency().window().block()),
                            load.points(),
                            load.p99Against().isEmpty() ? load.p99() : null,
                            review.latency().objective().target()));
        }
        parts.add(new Text(headroom()));
        parts.add(new Text(little()));
        return parts;
    }

    private Table quantities() {
        return new Table(
                "Load, and its growth by day",
                List.of("What", "Mean", "Peak", "Growth"),
                load.quantities().stream()
                        .map(
                                each ->
                                        List.of(
                                                each.name(),
                                                amount(each, each.mean()),
                                                amount(each, each.peak()),
                                                Words.month(each.trend())))
                        .toList());
    }

    private static String amount(Quantity quantity, double value) {
        return (quantity.bytes() ? Words.bytes(value) : Words.digits(value))
                + (quantity.rate() ? "/s" : "");
    }

    private Table resources() {
        return new Table(
                "How busy the busiest broker is",
                List.of("Resource", "Mean", "In busy hours (the level 95 of 100 do not exceed)"),
                load.resources().stream()
                        .map(
                                each ->
                                        List.of(
                                                each.name(),
                                                Words.percent(each.mean()),
                                                Words.percent(each.busy())))
                        .toList());
    }

    private Table curve() {
        return new Table(
                "Curves: base + slope x wait relative to that at half busy (Sakasegawa, "
                        + Words.plural(load.pool().servers(), "server")
                        + ")",
                List.of(
                        "Time",
                        "Base",
                        "Slope",
                        "Explained",
                        "Residual",
                        "Utilisation seen",
                        "Supported by the data"),
                List.of(
                        row(
                                "wait of a produce request for a handler, by broker",
                                load.queue(),
                                load.queueAgainst()),
                        row("p99 end to end", load.p99(), load.p99Against())));
    }

    /** Whence the number of servers. */
    private String servers() {
        HandlerPool pool = load.pool();
        String threads =
                pool.threads() > 0
                        ? "num.io.threads is " + pool.threads()
                        : "num.io.threads is not in the data, Kafka's default is taken";
        String processors =
                pool.processors() == 0
                        ? "; how many processors the broker has is not in the data"
                        : pool.processorBound()
                                ? ", and the handlers compute, on "
                                        + Words.plural(pool.processors(), "processor")
                                : ", and the handlers rather wait than compute";
        return "The curves take the request handlers as "
                + Words.plural(pool.servers(), "server")
                + ": "
                + threads
                + processors
                + ".";
    }

    private static List<String> row(String name, QueueCurve curve, String against) {
        if (curve.points() == 0) {
            return List.of(name, "", "", "", "", "", "no: not in the data");
        }
        return List.of(
                name,
                Words.latency(curve.base()),
                Words.latency(curve.slope())
                        + (Double.isNaN(curve.slopeLow())
                                ? " " + Words.UNKNOWN_INTERVAL
                                : " ["
                                        + Words.latency(curve.slopeLow()).replace(" ms", "")
                                        + ", "
                                        + Words.latency(curve.slopeHigh())
                                        + "]"),
                Words.percent(curve.explained()),
                Words.latency(curve.residual()),
                Words.percent(curve.least()) + " to " + Words.percent(curve.most()),
                against.isEmpty() ? "yes" : "no: " + against);
    }

    private String headroom() {
        String until =
                load.ruleOfThumb()
                        ? "Headroom is until "
                                + Words.chosen(Words.percent(load.until()))
                                + " busy, a rule of thumb: by the formula the wait there is "
                                + Words.digits(
                                        QueueCurve.shape(load.until(), load.pool().servers()))
                                + " times that at half busy."
                        : load.atLeast()
                                ? "By the curve p99 stays within the target up to "
                                        + Words.percent(load.until())
                                        + " busy. That is as far as it may be drawn on: "
                                        + Math.round(100 * QueueCurve.REACH)
                                        + " points above the highest utilisation seen ("
                                        + Words.percent(load.p99().most())
                                        + ")."
                                : "p99 reaches the target at "
                                        + limit()
                                        + " busy"
                                        + (load.limit().value() > load.p99().most()
                                                ? ", which lies beyond the highest utilisation"
                                                        + " seen ("
                                                        + Words.percent(load.p99().most())
                                                        + "): it is drawn on from there."
                                                : ".");
        End end = load.end();
        return until
                + " Load could grow "
                + factor()
                + ", if it grew alike everywhere. "
                + (Double.isNaN(end.exponential())
                        ? "When that ends is not said: bytes in show no clear growth over two whole"
                                + " weeks or more."
                        : "It ends, if bytes in go on to grow by the same share, "
                                + when(end.exponential())
                                + between(end)
                                + "; if by the same amount, "
                                + when(end.linear())
                                + ".");
    }

    private String when(double days) {
        String date = date(days);
        return date.equals(NEVER) ? "not within ten years" : "on " + date;
    }

    private String little() {
        if (Double.isNaN(load.little().low())) {
            return "Little's law (in flight = rate x time) could not be checked: too few blocks"
                    + " with probes in flight, rate and mean.";
        }
        String ratio =
                String.format(
                        Locale.ROOT,
                        "%.2f [%.2f, %.2f]",
                        load.little().value(),
                        load.little().low(),
                        load.little().high());
        return "Little's law (in flight = rate x time) on the canary's own probes: measured over"
                + " expected is "
                + ratio
                + (load.little().holds(LAW)
                        ? ", which agrees: rate, latency and in-flight counts fit together."
                        : ". They do not fit together: a probe stays in flight until its"
                                + " acknowledgement is known too, so somewhat above 1 is usual; far"
                                + " from 1, one of the three is wrong.");
    }

    List<Part> balance() {
        List<Part> parts = new ArrayList<>();
        if (load.balance().isEmpty()) {
            parts.add(new Warning("The server has no metrics of this cluster's brokers."));
            return parts;
        }
        parts.add(new Text("Latency by leader is among the percentiles."));
        parts.add(
                new Table(
                        "Across the brokers",
                        List.of("What", "Mean of a broker", "Most", "Most / mean", "Outliers"),
                        load.balance().stream().map(LoadParts::row).toList()));
        find("Replication bytes in")
                .ifPresent(
                        replication ->
                                find("Bytes in")
                                        .ifPresent(
                                                in ->
                                                        parts.add(
                                                                new Text(
                                                                        replication(
                                                                                replication
                                                                                        .spread(),
                                                                                in.spread())))));
        List<String> uneven =
                load.balance().stream()
                        .filter(each -> each.spread().mostByMean() > UNEVEN)
                        .map(Balance::name)
                        .toList();
        if (!uneven.isEmpty()) {
            parts.add(
                    new Warning(
                            "Uneven (one broker has more than half as much again as the mean): "
                                    + String.join(", ", uneven)
                                    + "."));
        }
        return parts;
    }

    private Optional<Balance> find(String name) {
        return load.balance().stream().filter(each -> each.name().equals(name)).findFirst();
    }

    private static String replication(Spread replication, Spread in) {
        return "Brokers replicate "
                + Words.digits(replication.mean() / in.mean())
                + " bytes for each that producers write: in the steady state that is the"
                + " replication factor less one, weighted by traffic ("
                + Words.digits(1 + replication.mean() / in.mean())
                + "). More means reassignments or recoveries.";
    }

    private static List<String> row(Balance each) {
        Spread spread = each.spread();
        return List.of(
                each.name(),
                each.bytes() ? Words.bytes(spread.mean()) + "/s" : Words.digits(spread.mean()),
                each.bytes() ? Words.bytes(spread.most()) + "/s" : Words.digits(spread.most()),
                String.format(Locale.ROOT, "%.2f", spread.mostByMean()),
                each.outliers().isEmpty()
                        ? "none"
                        : "broker " + String.join(", ", each.outliers()));
    }
}
