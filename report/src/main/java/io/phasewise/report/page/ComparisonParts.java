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
import io.phasewise.report.review.Comparison;
import io.phasewise.report.review.Comparison.Change;
import io.phasewise.report.review.Comparison.Subject;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.TwoSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The comparison of two windows in words: what the verdict says of it, and its section. */
final class ComparisonParts {

    /** Kolmogorov and Smirnov's test calls windows different below this. */
    private static final double CHANCE = 0.05;

    private static final double LEFT_NOTED = 0.1;

    private final Comparison comparison;
    private final Words words;

    ComparisonParts(Comparison comparison, Words words) {
        this.comparison = comparison;
        this.words = words;
    }

    /** Of p99, or of the highest percentile below it that both windows have probes enough for. */
    Line verdict() {
        String since = "Compared with " + window() + ": ";
        int level = Comparison.LEVELS.indexOf(0.99);
        while (level >= 0 && !endToEnd(level).known()) {
            level--;
        }
        if (level < 0) {
            return ReviewDocument.plain(
                    "Comparison", since + "not enough comparable probes to say anything.");
        }
        Difference whole = endToEnd(level);
        String percentile = Words.level(Comparison.LEVELS.get(level));
        if (!whole.clear()) {
            String clear = clearAtAnyLevel();
            return ReviewDocument.plain(
                    "Comparison",
                    since
                            + percentile
                            + " end to end shows "
                            + none(whole)
                            + (clear.isEmpty() ? "" : " Clear all the same: " + clear + "."));
        }
        List<String> phases = new ArrayList<>();
        for (Subject each : phases()) {
            Change change = each.changes().get(level);
            if (change.clear() && change.difference().low() > 1 == whole.low() > 1) {
                phases.add(each.name() + " " + change(change.difference()));
            }
        }
        String text =
                since
                        + percentile
                        + " end to end changed by "
                        + change(whole)
                        + "; "
                        + (phases.isEmpty()
                                ? "no single phase's " + percentile + " changed clearly."
                                : "with it "
                                        + percentile
                                        + " of "
                                        + String.join(", ", phases)
                                        + ".");
        return whole.low() > 1
                ? ReviewDocument.bad("Comparison", text)
                : ReviewDocument.good("Comparison", text);
    }

    private Difference endToEnd(int level) {
        return comparison.subjects().get(0).changes().get(level).difference();
    }

    private List<Subject> phases() {
        return comparison.subjects().subList(1, comparison.subjects().size());
    }

    /**
     * The path and the phases of which any percentile changed clearly, with the highest that did.
     */
    private String clearAtAnyLevel() {
        List<String> clear = new ArrayList<>();
        Subject whole = comparison.subjects().get(0);
        for (Subject each : comparison.subjects()) {
            String name = each == whole ? " end to end " : " of " + each.name() + " ";
            each.changes().stream()
                    .filter(Change::clear)
                    .reduce((lower, higher) -> higher)
                    .map(Change::difference)
                    .ifPresent(
                            difference ->
                                    clear.add(
                                            Words.level(difference.p())
                                                    + name
                                                    + change(difference)));
        }
        return String.join(", ", clear);
    }

    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        parts.add(
                new Text(
                        "This window against "
                                + window()
                                + ", "
                                + switch (comparison.matched()) {
                                    case HOUR_OF_WEEK ->
                                            "matched by hour of the week ("
                                                    + comparison.hours()
                                                    + " of 168 are in both).";
                                    case HOUR_OF_DAY ->
                                            "matched by hour of the day ("
                                                    + comparison.hours()
                                                    + " of 24 are in both).";
                                    case NOTHING ->
                                            "as a whole: one of them is shorter than a day.";
                                }
                                + " A change is clear if its interval leaves out none and chance"
                                + " alone explains it in less than 5 of 100 cases, with all changes"
                                + " of the table taken together."));
        if (comparison.left() > LEFT_NOTED) {
            parts.add(
                    new Warning(
                            Words.percent(comparison.left())
                                    + " of the probes of both windows are at hours that only one of"
                                    + " them has, and do not count."));
        }
        parts.add(changes());
        parts.add(whole());
        return parts;
    }

    private String window() {
        return words.time(comparison.before().from())
                + " to "
                + words.time(comparison.before().to());
    }

    private Table changes() {
        List<List<String>> rows = new ArrayList<>();
        for (Subject subject : comparison.subjects()) {
            for (Change change : subject.changes()) {
                Difference difference = change.difference();
                rows.add(
                        List.of(
                                name(subject) + " " + Words.level(difference.p()),
                                Words.latency(difference.before()),
                                Words.latency(difference.after()),
                                difference.known() ? change(difference) : "not enough probes",
                                difference.known() ? percent(difference.detectable()) : "",
                                change.clear()
                                        ? difference.low() > 1 ? "clearly slower" : "clearly faster"
                                        : difference.known() ? "no clear change" : ""));
            }
        }
        return new Table(
                "Percentiles of both windows",
                List.of(
                        "Path or phase",
                        "Before",
                        "Now",
                        "Change",
                        "Would be seen from",
                        "Verdict"),
                rows);
    }

    private Table whole() {
        List<List<String>> rows = new ArrayList<>();
        for (Subject subject : comparison.subjects()) {
            TwoSamples whole = subject.whole();
            if (Double.isNaN(whole.distance())) {
                rows.add(List.of(name(subject), "not enough probes", "", "", ""));
            } else {
                rows.add(
                        List.of(
                                name(subject),
                                Words.percent(whole.distance()),
                                Words.latency(whole.at()),
                                whole.chance() < 0.0001
                                        ? "< 0.0001"
                                        : String.format(Locale.ROOT, "%.4f", whole.chance()),
                                Words.percent(whole.slower())
                                        + (whole.chance() < CHANCE ? "" : " (could be chance)")));
            }
        }
        return new Table(
                "All latencies at once (Kolmogorov and Smirnov)",
                List.of(
                        "Path or phase",
                        "Widest gap",
                        "At",
                        "By chance (p)",
                        "A probe now is slower than one before"),
                rows);
    }

    private static String name(Subject subject) {
        return subject.name().equals("end_to_end") ? "end to end" : subject.name();
    }

    private static String none(Difference difference) {
        return "no difference that this many probes could show ("
                + change(difference)
                + "); one of "
                + percent(difference.detectable())
                + " would have been seen in 80 of 100 cases.";
    }

    private static String change(Difference difference) {
        return percent(difference.factor())
                + " ["
                + percent(difference.low()).replace(" %", "")
                + ", "
                + percent(difference.high())
                + "]";
    }

    private static String percent(double factor) {
        return Words.signed(factor - 1);
    }
}
