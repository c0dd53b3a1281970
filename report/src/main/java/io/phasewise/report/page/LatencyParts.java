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
import io.phasewise.report.review.PathPart;
import io.phasewise.report.review.Review;
import io.phasewise.report.review.Review.Latency;
import io.phasewise.report.review.Review.Leader;
import io.phasewise.report.review.Review.Objective;
import io.phasewise.report.review.Review.Slot;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Trend;
import java.util.ArrayList;
import java.util.List;

/** Latency in words: what the verdict says of it, and its section. */
final class LatencyParts {

    /** More leaders than these are not listed: nobody reads them, and report.json has all. */
    private static final int LISTED = 20;

    private static final int DRAWN = 12;

    private final Latency latency;
    private final Estimate p99;

    LatencyParts(Review review) {
        this.latency = review.latency();
        this.p99 = latency.endToEnd(0.99);
    }

    List<Line> verdict() {
        List<Line> lines = new ArrayList<>();
        lines.add(objective());
        String trend = trend(latency.p99Trend());
        lines.add(
                ReviewDocument.plain(
                        "p99",
                        Words.latency(p99)
                                + " end to end"
                                + (p99.enough()
                                        ? ", with its 95 % interval"
                                        : "; its interval is unknown, as the probes are too few")
                                + trend
                                + "."));
        lines.add(ReviewDocument.plain("Tail", tail()));
        lines.add(worst());
        return lines;
    }

    private static String trend(Trend trend) {
        if (!trend.known()) {
            return "";
        }
        return trend.clear()
                ? "; it changed by " + Words.month(trend)
                : "; no trend that these days could show (growth " + Words.month(trend) + ")";
    }

    private Line objective() {
        Objective objective = latency.objective();
        if (!objective.known()) {
            return ReviewDocument.plain(
                    "Objective", "Unknown: the canary's target was not in the data.");
        }
        String text =
                Words.percent(objective.good())
                        + " of "
                        + Words.count(objective.probes())
                        + " probes within "
                        + Words.chosen(Words.latency(objective.target()))
                        + " where "
                        + Words.chosen(Words.percent(objective.promised()))
                        + " were promised; "
                        + Words.percent(objective.budgetUsed())
                        + " of the error budget of this window used.";
        if (!objective.kept()) {
            return ReviewDocument.bad("Objective", "Missed. " + text);
        }
        boolean sure = objective.good().low() >= objective.promised();
        return ReviewDocument.good(
                "Objective",
                (sure ? "Kept. " : "Kept, though the interval reaches below what was promised. ")
                        + text);
    }

    private String tail() {
        List<PathPart> parts = latency.dominating();
        if (parts.isEmpty()) {
            return "No probes to say which phase has the longest tail.";
        }
        double slow = latency.slowSeconds().values().stream().mapToDouble(d -> d).sum();
        if (slow > 0) {
            return slowest(parts, slow);
        }
        return (latency.slowSeconds().isEmpty()
                        ? "This canary does not count what slow probes are made of"
                                + " (kafka_canary_slow_probes_phase_seconds_total), and a phase's"
                                + " own p99 does not tell whether the same probes are slow end to"
                                + " end. By it: "
                        : "No probe missed the target. By the phases' own p99: ")
                + byOwnP99(parts);
    }

    private static String share(double part, double whole) {
        return Words.percent(part / whole);
    }

    /** Of what the probes that missed the target are made. */
    private String slowest(List<PathPart> parts, double slow) {
        List<String> named =
                parts.stream()
                        .map(
                                part ->
                                        part.label()
                                                + " ("
                                                + share(latency.slowSeconds().get(part), slow)
                                                + ")")
                        .toList();
        return "The probes that missed the target spent the largest share of their time in "
                + Words.both(named)
                + ".";
    }

    private String byOwnP99(List<PathPart> parts) {
        String names = Words.either(parts.stream().map(PathPart::label).toList());
        Estimate highest = latency.parts().get(parts.get(0)).get(Review.LEVELS.indexOf(0.99));
        return parts.size() == 1
                ? names
                        + " has the longest tail of the five phases"
                        + (latency.parts().containsKey(PathPart.MIRROR) ? " and the mirror" : "")
                        + ": its own p99 is "
                        + Words.latency(highest)
                        + "."
                : names
                        + ": their p99s cannot be told apart; the highest is "
                        + Words.latency(highest)
                        + ".";
    }

    private Line worst() {
        if (latency.leaders().isEmpty()) {
            return ReviewDocument.plain("Worst broker", "No latency by broker in the data.");
        }
        Leader worst = latency.leaders().get(0);
        String p99 =
                Words.latency(worst.p99())
                        + (worst.p99().enough() ? "" : ", with too few probes for an interval");
        String text = "by way of broker " + worst.id() + " p99 is " + p99;
        return worst.standsOut()
                ? ReviewDocument.bad(
                        "Worst broker",
                        "Broker "
                                + worst.id()
                                + " stands out: "
                                + text
                                + ", above the broker in the middle by more than chance does among "
                                + latency.leaders().size()
                                + ".")
                : ReviewDocument.plain(
                        "Worst broker",
                        "None stands out among "
                                + latency.leaders().size()
                                + "; highest: "
                                + text
                                + ".");
    }

    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        parts.add(
                new Text(
                        "Each value with its 95 % interval. A percentile is of all probes that"
                            + " ended; those that were lost count as slower than any other."
                            + " Percentiles of phases do not add up; means do. Phases are of the"
                            + " probes that came."));
        if (!latency.form().isNative()) {
            parts.add(
                    new Warning(
                            "The server keeps classic histograms, whose buckets are about 26 %"
                                    + " wide: intervals reach to the ends of the buckets. Native"
                                    + " histograms tell within 1 %."));
        }
        parts.add(percentiles());
        parts.add(
                Charts.whiskers(
                        "p50, p90, p99 and p99.9 of the whole path and of each phase", rows()));
        long short_ = latency.endToEnd().stream().filter(each -> !each.enough()).count();
        if (short_ > 0) {
            parts.add(new Warning(notEnough()));
        }
        if (latency.slowSeconds().values().stream().anyMatch(seconds -> seconds > 0)) {
            parts.add(slow());
        }
        if (!latency.leaders().isEmpty()) {
            parts.add(leaders());
            parts.add(
                    Charts.whiskers(
                            "p50, p99 and p99.9 by leader, highest p99 first",
                            latency.leaders().stream()
                                    .limit(DRAWN)
                                    .map(
                                            each ->
                                                    new Charts.Row(
                                                            "broker " + each.id(),
                                                            List.of(
                                                                    each.p50(),
                                                                    each.p99(),
                                                                    each.p999())))
                                    .toList()));
        }
        if (!latency.days().isEmpty()) {
            double target = latency.objective().target();
            parts.add(Charts.course("p50 and p99 from day to day", latency.days(), target));
            parts.add(
                    new Text(
                            "Trend: p50 "
                                    + Words.month(latency.p50Trend())
                                    + "; p99 "
                                    + Words.month(latency.p99Trend())
                                    + "."));
            parts.add(slots("By day (whole days)", latency.days()));
        }
        if (!latency.hours().isEmpty()) {
            parts.add(slots("By hour of the day", latency.hours()));
        }
        if (!latency.weekdays().isEmpty()) {
            parts.add(slots("By weekday", latency.weekdays()));
            parts.add(Charts.week("p99 by hour of the week", latency.week()));
        }
        return parts;
    }

    private String notEnough() {
        Estimate first =
                latency.endToEnd().stream()
                        .filter(each -> !each.enough())
                        .findFirst()
                        .orElseThrow();
        return Words.UNKNOWN_INTERVAL
                + " means that the probes are too few for an interval: the value is what was seen,"
                + " and the truth may be far from it. End to end that begins with "
                + Words.level(first.p())
                + ": its interval takes "
                + Words.count(Math.ceil(first.needed()))
                + " independent ones, and these are worth "
                + Words.count(first.effective())
                + ". A longer window, or a higher probe.rate, gives more.";
    }

    private Table percentiles() {
        List<String> head = new ArrayList<>(List.of("Path or phase", "Mean"));
        Review.LEVELS.forEach(p -> head.add(Words.level(p)));
        List<List<String>> rows = new ArrayList<>();
        double whole = latency.means().values().stream().mapToDouble(v -> v).sum();
        rows.add(row("end to end", whole, latency.endToEnd()));
        latency.parts()
                .forEach(
                        (part, estimates) ->
                                rows.add(row(part.label(), latency.means().get(part), estimates)));
        return new Table("Percentiles", head, rows);
    }

    private Table slow() {
        double all = latency.slowSeconds().values().stream().mapToDouble(d -> d).sum();
        return new Table(
                "What the probes that missed the target spent their time in",
                List.of("Phase", "Share", "Seconds"),
                latency.slowSeconds().entrySet().stream()
                        .map(
                                each ->
                                        List.of(
                                                each.getKey().label(),
                                                share(each.getValue(), all),
                                                Words.digits(each.getValue())))
                        .toList());
    }

    private static List<String> row(String name, double mean, List<Estimate> estimates) {
        List<String> cells = new ArrayList<>(List.of(name, Words.latency(mean)));
        estimates.forEach(each -> cells.add(Words.latency(each)));
        return cells;
    }

    private List<Charts.Row> rows() {
        List<Charts.Row> rows = new ArrayList<>();
        rows.add(new Charts.Row("end to end", drawn(latency.endToEnd())));
        latency.parts().forEach((part, all) -> rows.add(new Charts.Row(part.label(), drawn(all))));
        return rows;
    }

    private static List<Estimate> drawn(List<Estimate> all) {
        return List.of(0.5, 0.9, 0.99, 0.999).stream()
                .map(p -> all.get(Review.LEVELS.indexOf(p)))
                .toList();
    }

    private Table leaders() {
        List<List<String>> rows = new ArrayList<>();
        for (Leader each : latency.leaders().stream().limit(LISTED).toList()) {
            rows.add(
                    List.of(
                            "broker " + each.id() + (each.standsOut() ? " (stands out)" : ""),
                            Words.count(each.probes()),
                            each.probes() > 0
                                    ? Words.percent(each.bad() / each.probes())
                                    : "unknown",
                            Words.count(each.lost()),
                            Words.latency(each.p50()),
                            Words.latency(each.p99()),
                            Words.latency(each.p999())));
        }
        int more = latency.leaders().size() - rows.size();
        return new Table(
                "By leader, highest p99 first; lost probes are slower than any other"
                        + (more > 0 ? " (" + more + " more in report.json)" : ""),
                List.of("Leader", "Probes", "Missed the target", "Lost", "p50", "p99", "p99.9"),
                rows);
    }

    private static Table slots(String caption, List<Slot> slots) {
        return new Table(
                caption,
                List.of("Time", "p50", "p99"),
                slots.stream()
                        .map(
                                each ->
                                        List.of(
                                                each.name(),
                                                Words.latency(each.p50()),
                                                Words.latency(each.p99())))
                        .toList());
    }
}
