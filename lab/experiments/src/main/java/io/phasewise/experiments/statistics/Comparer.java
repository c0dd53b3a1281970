/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.experiments.measure.Phase;
import io.phasewise.experiments.run.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;

/**
 * Holds the turns of a treatment against those of the baseline; the statistic itself and quantiles
 * are Commons Statistics'.
 *
 * <p>Whether they differ: the Kolmogorov-Smirnov distance of all latencies, against its
 * distribution when blocks of both are dealt anew at random within each repeat (a permutation test;
 * Good, "Permutation, Parametric and Bootstrap Tests of Hypotheses", 3). By how much: percentile
 * bootstrap intervals (Davison and Hinkley, "Bootstrap Methods and their Application", 3.8),
 * drawing first repeats and then blocks within them, so that what differs from one turn to the next
 * counts too.
 */
public final class Comparer {
    private static final double TAIL = 0.025;

    private final Duration block;
    private final long seed;
    private final int resamples;

    /**
     * @param block length of a block; longer than what makes neighbouring probes alike
     * @param seed the same one gives the same result
     * @param resamples deals of the test and draws of the intervals; 999 give three digits
     */
    public Comparer(Duration block, long seed, int resamples) {
        this.resamples = resamples;
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
        Sides all = new Sides(blocks(baseline), blocks(treatment));
        double distance = distance(all);
        Map<Phase, BiFunction<List<Block>, List<Block>, Double>> phases =
                new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            phases.put(phase, (a, b) -> mean(b, phase) - mean(a, phase));
        }
        List<Sides> resamples = resamples(all);
        Map<Phase, Interval> phaseDifference = new EnumMap<>(Phase.class);
        phases.forEach(
                (phase, difference) ->
                        phaseDifference.put(phase, interval(all, resamples, difference)));
        Interval median = interval(all, resamples, (a, b) -> quantile(b, 0.5) / quantile(a, 0.5));
        return new Comparison(
                baseline.get(0).variant(),
                treatment.get(0).variant(),
                distance,
                chance(all, distance),
                median,
                interval(all, resamples, (a, b) -> quantile(b, 0.99) / quantile(a, 0.99)),
                interval(all, resamples, (a, b) -> mean(b) - mean(a)),
                phaseDifference,
                agreeing(all, median.estimate()),
                baseline.size());
    }

    /**
     * Percentiles of all probes of some turns, with intervals by the same bootstrap.
     *
     * @return those of {@link Percentile#SHARES} for which there are enough probes
     * @throws IllegalArgumentException when a turn has no probes
     */
    public List<Percentile> percentiles(List<Turn> turns) {
        List<List<Block>> repeats = blocks(turns);
        double[] all = Summary.latencies(turns);
        double[] shares =
                Percentile.SHARES.stream()
                        .mapToDouble(Double::doubleValue)
                        .filter(share -> all.length >= Percentile.needed(share))
                        .toArray();
        if (shares.length == 0) {
            return List.of();
        }
        Random random = new Random(seed);
        double[][] drawn = new double[shares.length][resamples];
        for (int i = 0; i < resamples; i++) {
            List<Block> blocks = new ArrayList<>();
            for (int r = 0; r < repeats.size(); r++) {
                blocks.addAll(draw(repeats.get(random.nextInt(repeats.size())), random));
            }
            double[] values = Quantile.withDefaults().evaluate(Block.pooled(blocks), shares);
            for (int q = 0; q < shares.length; q++) {
                drawn[q][i] = values[q];
            }
        }
        double[] found = Quantile.withDefaults().evaluate(all, shares);
        List<Percentile> percentiles = new ArrayList<>();
        for (int q = 0; q < shares.length; q++) {
            double[] ends = Quantile.withDefaults().evaluate(drawn[q], TAIL, 1 - TAIL);
            percentiles.add(new Percentile(shares[q], new Interval(found[q], ends[0], ends[1])));
        }
        return percentiles;
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

    private List<List<Block>> blocks(List<Turn> turns) {
        List<List<Block>> all = new ArrayList<>();
        for (Turn turn : turns) {
            List<Block> blocks = Block.cut(turn.from(), turn.probes(), block);
            if (blocks.isEmpty()) {
                throw new IllegalArgumentException(
                        turn.variant()
                                + ", repeat "
                                + (turn.repeat() + 1)
                                + ": no probe came back");
            }
            all.add(blocks);
        }
        return all;
    }

    private static double distance(Sides sides) {
        return KolmogorovSmirnovTest.withDefaults()
                .statistic(Block.pooled(sides.first()), Block.pooled(sides.second()));
    }

    private double chance(Sides all, double found) {
        Random random = new Random(seed);
        int asGreat = 1; // the data themselves are one of the deals
        for (int i = 0; i < resamples; i++) {
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
            if (distance(new Sides(first, second)) >= found) {
                asGreat++;
            }
        }
        return asGreat / (resamples + 1.0);
    }

    private List<Sides> resamples(Sides all) {
        Random random = new Random(seed);
        int repeats = all.baseline().size();
        List<Sides> drawn = new ArrayList<>();
        for (int i = 0; i < resamples; i++) {
            List<List<Block>> first = new ArrayList<>();
            List<List<Block>> second = new ArrayList<>();
            for (int r = 0; r < repeats; r++) {
                int repeat = random.nextInt(repeats);
                first.add(draw(all.baseline().get(repeat), random));
                second.add(draw(all.treatment().get(repeat), random));
            }
            drawn.add(new Sides(first, second));
        }
        return drawn;
    }

    private static List<Block> draw(List<Block> from, Random random) {
        List<Block> drawn = new ArrayList<>(from.size());
        for (int i = 0; i < from.size(); i++) {
            drawn.add(from.get(random.nextInt(from.size())));
        }
        return drawn;
    }

    private static Interval interval(
            Sides all, List<Sides> resamples, BiFunction<List<Block>, List<Block>, Double> of) {
        double[] values =
                resamples.stream().mapToDouble(s -> of.apply(s.first(), s.second())).toArray();
        double[] ends = Quantile.withDefaults().evaluate(values, TAIL, 1 - TAIL);
        return new Interval(of.apply(all.first(), all.second()), ends[0], ends[1]);
    }

    private static int agreeing(Sides all, double ratio) {
        int agreeing = 0;
        for (int repeat = 0; repeat < all.baseline().size(); repeat++) {
            double own =
                    quantile(all.treatment().get(repeat), 0.5)
                            / quantile(all.baseline().get(repeat), 0.5);
            if (Math.signum(own - 1) == Math.signum(ratio - 1)) {
                agreeing++;
            }
        }
        return agreeing;
    }

    private static double quantile(List<Block> blocks, double share) {
        return Quantile.withDefaults().evaluate(Block.pooled(blocks), share);
    }

    private static double mean(List<Block> blocks) {
        double sum = 0;
        long count = 0;
        for (Block block : blocks) {
            sum += Arrays.stream(block.endToEnd()).sum();
            count += block.endToEnd().length;
        }
        return sum / count;
    }

    private static double mean(List<Block> blocks, Phase phase) {
        double sum = 0;
        long count = 0;
        for (Block block : blocks) {
            sum += block.phaseSums()[phase.ordinal()];
            count += block.endToEnd().length;
        }
        return sum / count;
    }
}
