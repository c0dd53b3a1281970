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
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;

/**
 * Holds the turns of a treatment against those of the baseline; statistics, quantiles and
 * distributions are Commons Statistics'.
 *
 * <p>Whether they differ: the Kolmogorov-Smirnov distance of all latencies, against its
 * distribution when blocks of both are dealt anew at random within each repeat (a permutation test;
 * Good, "Permutation, Parametric and Bootstrap Tests of Hypotheses", 3). That takes care of probes
 * that are alike because they follow one another, but not of turns that differ as a whole, so it
 * alone claims nothing.
 *
 * <p>By how much: the treatment's turn against the baseline's turn of the same repeat gives one
 * value (the logarithm of the ratio of medians or of p99s, the difference of means or of the shares
 * that are missing), and those of all repeats Student's interval for paired observations. These are
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
        Map<Phase, Interval> phaseDifference = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            ToDoubleFunction<Turn> mean =
                    turn -> mean(turn, probe -> probe.phases()[phase.ordinal()]);
            phaseDifference.put(phase, paired(baseline, treatment, mean));
        }
        return new Comparison(
                baseline.get(0).variant(),
                treatment.get(0).variant(),
                difference(baseline, treatment, ProbeRecord::endToEnd),
                difference(baseline, treatment, ProbeRecord::acknowledged),
                phaseDifference,
                baseline.size(),
                Math.max(own(baseline), own(treatment)));
    }

    private Difference difference(
            List<Turn> baseline, List<Turn> treatment, ToDoubleFunction<ProbeRecord> latency) {
        Sides all = new Sides(blocks(baseline, latency), blocks(treatment, latency));
        double distance = distance(all);
        double apart = missingApart(all);
        Interval median = ratio(baseline, treatment, latency, 0.5);
        return new Difference(
                distance,
                chance(all, distance, Comparer::distance),
                median,
                ratio(baseline, treatment, latency, 0.99),
                Math.max(missing(baseline, latency), missing(treatment, latency))
                                > Difference.MOST_MISSING
                        ? Interval.NONE
                        : paired(baseline, treatment, turn -> mean(turn, latency)),
                paired(baseline, treatment, turn -> missing(List.of(turn), latency)),
                // Where none is missing there is nothing to deal.
                apart == 0 ? 1 : chance(all, apart, Comparer::missingApart),
                agreeing(baseline, treatment, latency, median.estimate()));
    }

    /** Of a percentile in the tail, where every turn has the probes for it. */
    private static Interval ratio(
            List<Turn> baseline,
            List<Turn> treatment,
            ToDoubleFunction<ProbeRecord> latency,
            double share) {
        return paired(
                        baseline,
                        treatment,
                        turn -> {
                            double[] all = Summary.values(List.of(turn), latency);
                            return all.length < Percentile.needed(share)
                                    ? Double.NaN
                                    : Math.log(Summary.quantile(all, share));
                        })
                .exponentiated();
    }

    /** Of each repeat's two turns. */
    private static Interval paired(
            List<Turn> baseline, List<Turn> treatment, ToDoubleFunction<Turn> of) {
        double[] values =
                IntStream.range(0, baseline.size())
                        .mapToDouble(
                                repeat ->
                                        of.applyAsDouble(treatment.get(repeat))
                                                - of.applyAsDouble(baseline.get(repeat)))
                        .toArray();
        return Interval.ofMean(values, 1 - Difference.ERROR / Difference.LOOKS);
    }

    private static int agreeing(
            List<Turn> baseline,
            List<Turn> treatment,
            ToDoubleFunction<ProbeRecord> latency,
            double ratio) {
        return (int)
                IntStream.range(0, baseline.size())
                        .filter(
                                repeat ->
                                        Math.signum(
                                                        median(treatment.get(repeat), latency)
                                                                - median(
                                                                        baseline.get(repeat),
                                                                        latency))
                                                == Math.signum(ratio - 1))
                        .count();
    }

    /** Those that have none took longer than all others. */
    private static double median(Turn turn, ToDoubleFunction<ProbeRecord> latency) {
        return Summary.quantile(Summary.values(List.of(turn), latency), 0.5);
    }

    /** Of those that have one; NaN where none has. */
    private static double mean(Turn turn, ToDoubleFunction<ProbeRecord> of) {
        return turn.probes().stream()
                .mapToDouble(of)
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    private static double missing(List<Turn> turns, ToDoubleFunction<ProbeRecord> latency) {
        return missing(Summary.values(turns, latency));
    }

    private static double own(List<Turn> turns) {
        return turns.stream()
                .flatMap(turn -> turn.probes().stream())
                .mapToInt(probe -> probe.own() ? 1 : 0)
                .average()
                .orElse(0);
    }

    /**
     * End-to-end percentiles of all probes of some turns, with intervals.
     *
     * @return those of {@link Percentile#SHARES} for which there are enough probes
     * @throws IllegalArgumentException when a turn has no probes
     */
    public List<Percentile> percentiles(List<Turn> turns) {
        return Percentile.of(blocks(turns, ProbeRecord::endToEnd), deals, new Random(seed));
    }

    /** Blocks of both sides, by repeat. */
    private record Sides(List<List<Block>> baseline, List<List<Block>> treatment) {

        List<Block> first() {
            return baseline.stream().flatMap(List::stream).toList();
        }

        List<Block> second() {
            return treatment.stream().flatMap(List::stream).toList();
        }
    }

    private List<List<Block>> blocks(List<Turn> turns, ToDoubleFunction<ProbeRecord> latency) {
        List<List<Block>> all = new ArrayList<>();
        for (Turn turn : turns) {
            if (turn.probes().isEmpty()) {
                throw new IllegalArgumentException(
                        turn.variant() + ", repeat " + (turn.repeat() + 1) + ": no probe was due");
            }
            all.add(Block.cut(turn.from(), turn.probes(), block, latency));
        }
        return all;
    }

    private static double distance(Sides sides) {
        return KolmogorovSmirnovTest.withDefaults()
                .statistic(Block.pooled(sides.first()), Block.pooled(sides.second()));
    }

    private static double missingApart(Sides sides) {
        return Math.abs(missing(sides.first()) - missing(sides.second()));
    }

    private static double missing(List<Block> blocks) {
        return missing(Block.pooled(blocks));
    }

    private static double missing(double[] latencies) {
        return Arrays.stream(latencies)
                .map(each -> Double.isFinite(each) ? 0 : 1)
                .average()
                .orElse(0);
    }

    /** Of a statistic as great as the one found. */
    private double chance(Sides all, double found, ToDoubleFunction<Sides> statistic) {
        Random random = new Random(seed);
        int asGreat = 1; // the data themselves are one of the deals
        for (int i = 0; i < deals; i++) {
            List<List<Block>> first = new ArrayList<>();
            List<List<Block>> second = new ArrayList<>();
            for (int repeat = 0; repeat < all.baseline().size(); repeat++) {
                List<Block> hat = new ArrayList<>(all.baseline().get(repeat));
                int size = hat.size();
                hat.addAll(all.treatment().get(repeat));
                Collections.shuffle(hat, random);
                first.add(hat.subList(0, size));
                second.add(hat.subList(size, hat.size()));
            }
            if (statistic.applyAsDouble(new Sides(first, second)) >= found) {
                asGreat++;
            }
        }
        return asGreat / (deals + 1.0);
    }
}
