/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import static io.phasewise.experiments.report.Figures.interval;
import static io.phasewise.experiments.report.Figures.milliseconds;

import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.statistics.Comparison;
import io.phasewise.experiments.statistics.Difference;
import io.phasewise.experiments.statistics.Latencies;
import io.phasewise.experiments.statistics.Percentile;
import io.phasewise.experiments.statistics.Summary;
import io.phasewise.lab.measure.Table;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The tables of a result, as Markdown that also reads well on a terminal. */
final class Tables {
    private final List<Summary> summaries;
    private final List<Comparison> comparisons;
    private final boolean broken;

    /**
     * @param broken whether something was broken; otherwise brokers differ only by chance, and
     *     there is no table by leader
     */
    Tables(List<Summary> summaries, List<Comparison> comparisons, boolean broken) {
        this.summaries = summaries;
        this.comparisons = comparisons;
        this.broken = broken;
    }

    /**
     * All tables, each below its heading.
     *
     * @param chart Markdown that stands above the table of the phases; may be empty
     */
    String text(String chart) {
        Table endToEnd = differences(Comparison::endToEnd, Comparison::verdict);
        Table producer = differences(Comparison::acknowledged, Comparison::producerVerdict);
        String leaders = broken ? "\n## By leader\n\n" + leaders() : "";
        return JarResource.text(Tables.class, "tables.txt")
                .formatted(endToEnd, chart + phases(), latencies(), acknowledgements(), producer + leaders, around());
    }

    private static <T> List<String> each(Collection<T> of, Function<T, String> text) {
        return of.stream().map(text).toList();
    }

    private Table differences(Function<Comparison, Difference> of, Function<Comparison, String> verdict) {
        List<String> sizes = List.of("p50 ratio", "p99 ratio", "mean, ms more", "missing, % more");
        List<String> tests = List.of("KS distance", "chance");
        Table table = new Table("variant", "against", "verdict", sizes, tests);
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
                    Figures.number("%.3f", found.chance()));
        }
        return table;
    }

    private Table phases() {
        List<String> names = each(List.of(Phase.values()), Phase::label);
        Table table = new Table("mean of each phase, ms", names);
        for (Summary each : summaries) {
            table.row(each.variant(), each(each.phases().values(), Figures::milliseconds));
        }
        for (Comparison each : comparisons) {
            List<String> more = each(each.phaseDifference().values(), Figures::interval);
            table.row(each.treatment() + ", more than " + each.baseline(), more);
        }
        return table;
    }

    private Table latencies() {
        List<String> shares = each(Percentile.SHARES, Tables::name);
        List<String> rest = List.of("max", "missing", "stalled");
        Table table = new Table("end to end, ms", "probes", "min", "mean", shares, rest);
        for (Summary each : summaries) {
            Latencies all = each.endToEnd();
            int probes = all.values().length;
            List<String> percentiles = each(Percentile.SHARES, share -> percentile(each, share));
            List<String> middle = List.of(milliseconds(all.min()), milliseconds(all.mean()));
            List<Long> counts = List.of(probes - all.present(), each.stalled());
            String max = milliseconds(all.max());
            table.row(each.variant(), probes, middle, percentiles, max, counts);
        }
        return table;
    }

    /** A percentile with its interval; "-" where there are too few probes for it. */
    private static String percentile(Summary of, double share) {
        return of.percentiles().stream()
                .filter(found -> found.share() == share)
                .map(found -> interval(found.milliseconds()))
                .findFirst()
                .orElse("-");
    }

    /** For instance {@code p99.9}. */
    private static String name(double share) {
        return "p" + String.valueOf(Math.round(share * 1e6) / 1e4).replaceFirst("\\.0$", "");
    }

    private Table acknowledgements() {
        Table table = new Table("due to acknowledgement, ms", "acknowledged", "p50", "p99");
        for (Summary each : summaries) {
            Latencies all = each.acknowledged();
            String got = all.present() + " of " + all.values().length;
            table.row(each.variant(), got, milliseconds(all.quantile(0.5)), milliseconds(all.tail(0.99)));
        }
        return table;
    }

    private Table leaders() {
        Table table = new Table("end to end, ms", "leader", "probes", "p50", "p99", "max");
        for (Summary each : summaries) {
            for (Map.Entry<Integer, Latencies> led : each.leaders().entrySet()) {
                Latencies of = led.getValue();
                List<Double> found = List.of(of.quantile(0.5), of.tail(0.99), of.max());
                List<String> figures = each(found, Figures::milliseconds);
                table.row(each.variant(), led.getKey(), of.values().length, figures);
            }
        }
        return table;
    }

    private Table around() {
        Table table =
                new Table("around it", summaries.get(0).conditions().figures().keySet());
        for (Summary each : summaries) {
            Collection<Double> figures = each.conditions().figures().values();
            table.row(each.variant(), each(figures, Figures::ofAnySize));
        }
        return table;
    }
}
