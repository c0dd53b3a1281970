/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block;
import io.phasewise.report.document.Block.Finding;
import io.phasewise.report.document.Block.Findings;
import io.phasewise.report.document.Block.Mood;
import io.phasewise.report.latency.Comparison;
import io.phasewise.report.latency.Comparison.Found;
import io.phasewise.report.latency.Latency;
import io.phasewise.report.latency.Latency.Leader;
import io.phasewise.report.latency.Latency.Objective;
import io.phasewise.report.latency.Latency.PhaseRow;
import io.phasewise.report.load.Load;
import io.phasewise.report.review.Review;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.Trend;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The verdict on one cluster, for those who read nothing else. */
final class Verdict {

    private final Review review;
    private final Latency latency;
    private final TextFormat format;

    Verdict(Review review, TextFormat format) {
        this.review = review;
        this.latency = review.latency();
        this.format = format;
    }

    List<Block> blocks() {
        List<Finding> findings = new ArrayList<>();
        findings.add(objective());
        findings.add(new Finding("p99", Mood.NEITHER, p99()));
        findings.add(new Finding("Tail", Mood.NEITHER, tail()));
        findings.add(worstBroker());
        if (review.comparison() != null) {
            findings.add(comparison(review.comparison()));
        }
        findings.add(new Finding("Growth", Mood.NEITHER, growth(review.load())));
        findings.addAll(SharedWords.verdict(review.warnings()));
        return List.of(new Findings(findings));
    }

    private Finding objective() {
        Objective objective = latency.objective();
        if (!objective.known()) {
            return new Finding("Objective", Mood.NEITHER, "Unknown: the canary's target was not in the data.");
        }
        boolean clearly = objective.good().low() >= objective.promised();
        String text = "%s %s of %s probes within %s where %s were promised; %s of the error budget of this window used."
                .formatted(
                        !objective.kept()
                                ? "Missed."
                                : clearly ? "Kept." : "Kept, though the interval reaches below what was promised.",
                        TextFormat.percent(objective.good()),
                        TextFormat.count(objective.probes()),
                        TextFormat.chosenLatency(objective.target()),
                        TextFormat.chosenPercent(objective.promised()),
                        TextFormat.percent(objective.budgetUsed()));
        return new Finding("Objective", objective.kept() ? Mood.GOOD : Mood.BAD, text);
    }

    private String p99() {
        Trend trend = latency.p99Trend();
        String value = TextFormat.estimate(latency.p99()) + " end to end"
                + SharedWords.interval(latency.p99().enough());
        if (trend.clear()) {
            return value + "; it changed by " + TextFormat.month(trend) + ".";
        }
        return trend.known()
                ? value + "; no clear trend in these days (growth " + TextFormat.month(trend) + ")."
                : value + ".";
    }

    private String tail() {
        List<PhaseRow> tail = latency.tail();
        if (tail.isEmpty()) {
            return "No probes to say which phase has the longest tail.";
        }
        if (latency.slowInAll() > 0) {
            List<String> shares = tail.stream()
                    .map(each -> each.name() + " (" + TextFormat.percent(each.slow() / latency.slowInAll()) + ")")
                    .toList();
            int last = shares.size() - 1;
            return "The probes that missed the target spent the largest share of their time in "
                    + (last == 0 ? "" : String.join(", ", shares.subList(0, last)) + " and ")
                    + shares.get(last) + ".";
        }
        String why = latency.slowSeconds().isEmpty()
                ? "This canary does not count in which phases slow probes spend their time"
                        + " (kafka_canary_slow_probes_phase_seconds_total). A phase's own p99 does not tell whether"
                        + " the same probes are slow end to end. By the phases' own p99: "
                : "No probe missed the target. By the phases' own p99: ";
        PhaseRow highest = tail.get(0);
        if (tail.size() == 1) {
            return why
                    + "%s has the longest tail of the five phases: its own p99 is %s."
                            .formatted(highest.name(), TextFormat.estimate(highest.p99()));
        }
        String names = tail.stream().map(PhaseRow::name).collect(Collectors.joining(" or "));
        return why + names + ": their p99s do not differ clearly; the highest is " + TextFormat.estimate(highest.p99())
                + ".";
    }

    private Finding worstBroker() {
        String subject = "Worst broker";
        if (latency.leaders().isEmpty()) {
            return new Finding(subject, Mood.NEITHER, "No latency by broker in the data.");
        }
        Leader worst = latency.leaders().get(0);
        int among = latency.leaders().size();
        String text = (worst.standsOut()
                        ? "Broker " + worst.id() + " stands out"
                        : "None stands out among " + among + "; highest")
                + ": for partitions led by broker " + worst.id() + " p99 is " + TextFormat.estimate(worst.p99())
                + (worst.p99().enough() ? "" : " (interval unknown)")
                + (worst.standsOut()
                        ? ", above that of the median broker by more than chance explains among " + among
                        : "");
        return new Finding(subject, worst.standsOut() ? Mood.BAD : Mood.NEITHER, text + ".");
    }

    private Finding comparison(Comparison comparison) {
        Difference whole = comparison.whole();
        Mood mood = whole == null || !whole.clear() ? Mood.NEITHER : whole.low() > 1 ? Mood.BAD : Mood.GOOD;
        String windows = "Compared with " + format.time(comparison.before().from()) + " to "
                + format.time(comparison.before().to()) + ": ";
        return new Finding("Comparison", mood, windows + changed(comparison, whole));
    }

    private static String changed(Comparison comparison, Difference whole) {
        if (whole == null) {
            return "not enough comparable probes to say anything.";
        }
        String level = TextFormat.level(whole.p());
        if (whole.clear()) {
            String phases = comparison.phases().stream()
                    .map(each -> each.title() + " " + TextFormat.change(each.difference()))
                    .collect(Collectors.joining(", "));
            return level + " end to end changed by " + TextFormat.change(whole) + "; "
                    + (phases.isEmpty()
                            ? "no single phase's " + level + " changed clearly."
                            : "with it " + level + " of " + phases + ".");
        }
        String clear = comparison.clear().stream().map(Verdict::named).collect(Collectors.joining(", "));
        return level + " end to end shows no clear difference (" + TextFormat.change(whole)
                + "). With this many probes one of " + TextFormat.growth(whole.detectable())
                + " would have been seen in 80 of 100 cases."
                + (clear.isEmpty() ? "" : " Clear all the same: " + clear + ".");
    }

    private static String named(Found change) {
        String of = change.title().equals("end to end") ? " " : " of ";
        return TextFormat.level(change.difference().p()) + of + change.title() + " "
                + TextFormat.change(change.difference());
    }

    private String growth(Load load) {
        if (load.resources().isEmpty()) {
            return "Unknown: there are no brokers' metrics of how busy they are.";
        }
        Load.Resource first = load.resources().get(0);
        String busiest = "Busiest are the %s, %s on the busiest broker in its busy hours. "
                .formatted(first.name(), TextFormat.percent(first.busy()));
        return busiest + limit(load) + " " + TextFormat.factor(load) + "; " + end(load) + ".";
    }

    private static String limit(Load load) {
        if (load.ruleOfThumb()) {
            return "At what load p99 would break the target, these data do not say (%s); until %s busy, by rule of thumb, load could grow"
                    .formatted(load.p99Against(), TextFormat.chosenPercent(load.until()));
        }
        return load.atLeast()
                ? "Up to " + TextFormat.percent(load.until()) + " busy handlers p99 stays within the target;"
                        + " above that these data say nothing. Up to there load could grow"
                : "p99 would break the target at " + TextFormat.limit(load) + " busy handlers: load could grow";
    }

    private String end(Load load) {
        if (!load.end().known()) {
            return "growth is not clear, so no date is given";
        }
        Instant from = latency.window().to();
        String growth = "growing as in this window it ";
        return TextFormat.far(load.end().exponential())
                ? growth + "does not get there within ten years"
                : growth + "gets there on " + format.date(load.end().exponential(), from)
                        + format.between(load.end(), from);
    }
}
