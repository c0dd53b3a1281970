/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.run.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;

/**
 * Compares the turns of a treatment with those of the baseline. Statistics, quantiles and
 * distributions are Commons Statistics'.
 *
 * <p>Whether they differ: the Kolmogorov-Smirnov distance of all latencies, by a {@link
 * PermutationTest}, which alone claims nothing.
 *
 * <p>By how much: the treatment's turn against the baseline's turn of the same repeat gives one
 * value: the logarithm of the ratio of medians or of p99s, the difference of means or of the shares
 * that are missing. Those of all repeats give Student's interval for paired observations. These are
 * four looks at one question, so each interval has a quarter of the error (Bonferroni).
 */
public final class Comparer {
    private final Duration block;
    private final long seed;
    private final int deals;

    /**
     * @param block length of a block; longer than what makes neighbouring probes alike
     * @param seed the same one gives the same result
     * @param deals of the test, and draws for percentiles; 999 give three digits
     */
    public Comparer(Duration block, long seed, int deals) {
        this.deals = deals;
        this.block = block;
        this.seed = seed;
    }

    /**
     * Compares.
     *
     * @param baseline its turns, as many as the treatment's, of the same repeats in the same order
     * @throws IllegalArgumentException when a turn has no probes, or the turns do not pair up
     */
    public Comparison compare(List<Turn> baseline, List<Turn> treatment) {
        if (baseline.size() != treatment.size()) {
            throw new IllegalArgumentException("turns do not pair up");
        }
        Pairs pairs = new Pairs(baseline, treatment);
        Map<Phase, Interval> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            phases.put(phase, pairs.interval(p -> p.phases()[phase.ordinal()], Latencies::mean));
        }
        return new Comparison(
                baseline.get(0).variant(),
                treatment.get(0).variant(),
                difference(pairs, ProbeRecord::endToEnd),
                difference(pairs, ProbeRecord::acknowledged),
                phases,
                baseline.size(),
                Math.max(own(baseline), own(treatment)));
    }

    private Difference difference(Pairs pairs, ToDoubleFunction<ProbeRecord> latency) {
        List<PermutationTest.Repeat> repeats =
                IntStream.range(0, pairs.baseline().size())
                        .mapToObj(
                                i ->
                                        repeat(
                                                pairs.baseline().get(i),
                                                pairs.treatment().get(i),
                                                latency))
                        .toList();
        PermutationTest distance = PermutationTest.of(repeats, Comparer::distance, deals, seed);
        PermutationTest missing = PermutationTest.of(repeats, Comparer::missingApart, deals, seed);
        Interval median = pairs.ratio(latency, 0.5);
        double most =
                Math.max(
                        Latencies.of(pairs.baseline(), latency).missing(),
                        Latencies.of(pairs.treatment(), latency).missing());
        return new Difference(
                distance.statistic(),
                distance.chance(),
                median,
                pairs.ratio(latency, 0.99),
                most > Difference.MOST_MISSING
                        ? Interval.NONE
                        : pairs.interval(latency, Latencies::mean),
                pairs.interval(latency, Latencies::missing),
                missing.chance(),
                pairs.agreeing(latency, median.estimate()));
    }

    /** Turns of the same repeats. */
    private record Pairs(List<Turn> baseline, List<Turn> treatment) {

        /** Of the difference that each repeat's two turns have in a figure. */
        Interval interval(
                ToDoubleFunction<ProbeRecord> latency, ToDoubleFunction<Latencies> figure) {
            double[] values =
                    IntStream.range(0, baseline.size())
                            .mapToDouble(
                                    i ->
                                            figure.applyAsDouble(of(treatment, i, latency))
                                                    - figure.applyAsDouble(
                                                            of(baseline, i, latency)))
                            .toArray();
            return Interval.ofMean(values, 1 - Difference.ERROR / Difference.LOOKS);
        }

        /** Of a quantile's ratio, where every turn has the probes for it. */
        Interval ratio(ToDoubleFunction<ProbeRecord> latency, double share) {
            return interval(latency, all -> Math.log(all.tail(share))).exponentiated();
        }

        /** Repeats whose medians differ the same way as all of them do. */
        int agreeing(ToDoubleFunction<ProbeRecord> latency, double ratio) {
            return (int)
                    IntStream.range(0, baseline.size())
                            .mapToDouble(
                                    i ->
                                            of(treatment, i, latency).quantile(0.5)
                                                    - of(baseline, i, latency).quantile(0.5))
                            .filter(more -> Math.signum(more) == Math.signum(ratio - 1))
                            .count();
        }

        private static Latencies of(
                List<Turn> turns, int repeat, ToDoubleFunction<ProbeRecord> latency) {
            return Latencies.of(turns.subList(repeat, repeat + 1), latency);
        }
    }

    private static double own(List<Turn> turns) {
        return turns.stream()
                .flatMap(turn -> turn.probes().stream())
                .mapToInt(probe -> probe.own() ? 1 : 0)
                .average()
                .orElse(0);
    }

    /**
     * All turns of one variant in figures.
     *
     * @param turns one at least
     * @throws IllegalArgumentException when a turn has no probes
     */
    public Summary summary(List<Turn> turns) {
        List<List<double[]>> repeats =
                turns.stream().map(turn -> blocks(turn, ProbeRecord::endToEnd)).toList();
        return Summary.of(turns, Percentile.of(repeats, deals, new Random(seed)));
    }

    /** The latencies of each block of a turn, in order; the last block may be shorter. */
    private List<double[]> blocks(Turn turn, ToDoubleFunction<ProbeRecord> latency) {
        if (turn.probes().isEmpty()) {
            throw new IllegalArgumentException(
                    turn.variant() + ", repeat " + (turn.repeat() + 1) + ": no probe was due");
        }
        return turn.probes().stream()
                .collect(
                        Collectors.groupingBy(
                                p -> Duration.between(turn.from(), p.due()).dividedBy(block),
                                TreeMap::new,
                                Collectors.toList()))
                .values()
                .stream()
                .map(each -> each.stream().mapToDouble(latency).toArray())
                .toList();
    }

    private PermutationTest.Repeat repeat(
            Turn baseline, Turn treatment, ToDoubleFunction<ProbeRecord> latency) {
        List<double[]> all = new ArrayList<>(blocks(baseline, latency));
        int size = all.size();
        all.addAll(blocks(treatment, latency));
        return new PermutationTest.Repeat(all, size);
    }

    private static double distance(Latencies one, Latencies other) {
        return KolmogorovSmirnovTest.withDefaults().statistic(one.values(), other.values());
    }

    private static double missingApart(Latencies one, Latencies other) {
        return Math.abs(one.missing() - other.missing());
    }
}
