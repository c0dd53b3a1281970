/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import static java.util.stream.Collectors.groupingBy;

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
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;

/**
 * Compares the turns of a treatment with those of the baseline. Statistics, quantiles and
 * distributions come from Commons Statistics.
 *
 * <p>Whether they differ: a {@link PermutationTest} of the Kolmogorov-Smirnov distance of all
 * latencies. It alone claims no difference.
 *
 * <p>By how much: each repeat gives one value, from the treatment's turn and the baseline's turn:
 * the logarithm of the ratio of medians or of p99s, or the difference of means or of the shares of
 * missing probes. The values of all repeats give Student's interval for paired observations. These
 * are four looks at one question, so each interval has a quarter of the error (Bonferroni).
 */
public final class Comparer {
    private final Duration block;
    private final long seed;
    private final int deals;

    /**
     * @param block length of a block; longer than the time over which probes resemble each other
     * @param seed the same seed gives the same result
     * @param deals number of permutations of the test, and of draws for percentiles; 999 give
     *     three digits
     */
    public Comparer(Duration block, long seed, int deals) {
        this.deals = deals;
        this.block = block;
        this.seed = seed;
    }

    /** The turns of one repeat. */
    private record Pair(Turn baseline, Turn treatment) {
        /** By how much a figure is greater for the treatment's latencies. */
        double more(ToDoubleFunction<ProbeRecord> of, ToDoubleFunction<Latencies> figure) {
            return figure.applyAsDouble(Latencies.of(treatment.probes().stream(), of))
                    - figure.applyAsDouble(Latencies.of(baseline.probes().stream(), of));
        }
    }

    /**
     * Compares.
     *
     * @param baseline as many turns as the treatment's, of the same repeats in the same order
     * @throws IllegalArgumentException when a turn has no probes, or the turns do not pair up
     */
    public Comparison compare(List<Turn> baseline, List<Turn> treatment) {
        if (baseline.size() != treatment.size()) {
            throw new IllegalArgumentException("turns do not pair up");
        }
        List<Pair> pairs = IntStream.range(0, baseline.size())
                .mapToObj(i -> new Pair(baseline.get(i), treatment.get(i)))
                .toList();
        Map<Phase, Interval> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            ToDoubleFunction<ProbeRecord> length = probe -> probe.phases()[phase.ordinal()];
            phases.put(phase, interval(pairs, length, Latencies::mean));
        }
        return new Comparison(
                baseline.get(0).variant(),
                treatment.get(0).variant(),
                difference(pairs, ProbeRecord::endToEnd),
                difference(pairs, ProbeRecord::acknowledged),
                phases,
                Math.max(canaryPaused(baseline), canaryPaused(treatment)));
    }

    private Difference difference(List<Pair> pairs, ToDoubleFunction<ProbeRecord> latency) {
        List<PermutationTest.Repeat> repeats =
                pairs.stream().map(pair -> repeat(pair, latency)).toList();
        PermutationTest distance = PermutationTest.of(repeats, Comparer::distance, deals, seed);
        PermutationTest missing = PermutationTest.of(repeats, Comparer::missingApart, deals, seed);
        double most = Math.max(
                missing(pairs.stream().map(Pair::baseline), latency),
                missing(pairs.stream().map(Pair::treatment), latency));
        return new Difference(
                distance.statistic(),
                distance.chance(),
                ratio(pairs, latency, 0.5),
                ratio(pairs, latency, 0.99),
                most > Difference.MOST_MISSING ? Interval.NONE : interval(pairs, latency, Latencies::mean),
                interval(pairs, latency, Latencies::missing),
                missing.chance());
    }

    /** The interval of a figure's difference between the two turns of a repeat. */
    private static Interval interval(
            List<Pair> pairs, ToDoubleFunction<ProbeRecord> latency, ToDoubleFunction<Latencies> figure) {
        double[] values =
                pairs.stream().mapToDouble(pair -> pair.more(latency, figure)).toArray();
        return Interval.ofMean(values, 1 - Difference.ERROR / Difference.LOOKS);
    }

    /** The interval of a quantile's ratio; none where a turn has too few probes for it. */
    private static Interval ratio(List<Pair> pairs, ToDoubleFunction<ProbeRecord> latency, double share) {
        return interval(pairs, latency, all -> Math.log(all.tail(share))).exponentiated();
    }

    private static double missing(Stream<Turn> turns, ToDoubleFunction<ProbeRecord> latency) {
        return Latencies.of(turns.flatMap(turn -> turn.probes().stream()), latency)
                .missing();
    }

    private static double canaryPaused(List<Turn> turns) {
        return turns.stream()
                .flatMap(turn -> turn.probes().stream())
                .mapToInt(probe -> probe.mostlyCanaryPause() ? 1 : 0)
                .average()
                .orElse(0);
    }

    /**
     * Sums up all turns of one variant.
     *
     * @param turns one or more
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
        Function<ProbeRecord, Long> number =
                probe -> Duration.between(turn.from(), probe.due()).dividedBy(block);
        Map<Long, List<ProbeRecord>> blocks =
                turn.probes().stream().collect(groupingBy(number, TreeMap::new, Collectors.toList()));
        return blocks.values().stream()
                .map(each -> each.stream().mapToDouble(latency).toArray())
                .toList();
    }

    private PermutationTest.Repeat repeat(Pair pair, ToDoubleFunction<ProbeRecord> latency) {
        List<double[]> all = new ArrayList<>(blocks(pair.baseline(), latency));
        int size = all.size();
        all.addAll(blocks(pair.treatment(), latency));
        return new PermutationTest.Repeat(all, size);
    }

    private static double distance(Latencies one, Latencies other) {
        return KolmogorovSmirnovTest.withDefaults().statistic(one.values(), other.values());
    }

    private static double missingApart(Latencies one, Latencies other) {
        return Math.abs(one.missing() - other.missing());
    }
}
