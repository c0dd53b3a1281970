/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleBiFunction;

/**
 * How far apart two sides are, and how often they would be as far apart by chance: when the blocks
 * of both sides are permuted at random within each repeat (Good, "Permutation, Parametric and
 * Bootstrap Tests of Hypotheses", 3).
 *
 * <p>Whole blocks are permuted, as latencies close in time are alike: a queue, a garbage collection
 * or a pause affects many. Permuted one by one they would look like far more evidence than they
 * are. The test does not see that whole turns differ, so it alone claims no difference.
 *
 * @param statistic as it was measured
 * @param chance of a statistic at least as great; above 0, at most 1
 */
record PermutationTest(double statistic, double chance) {

    /**
     * The blocks of a repeat's two turns: first the given number of the baseline's, then the
     * treatment's.
     */
    record Repeat(List<double[]> blocks, int baseline) {

        private Repeat dealt(Random random) {
            List<double[]> shuffled = new ArrayList<>(blocks);
            Collections.shuffle(shuffled, random);
            return new Repeat(shuffled, baseline);
        }
    }

    /**
     * Tests.
     *
     * @param statistic 0 where two sides are alike; the farther apart, the greater
     * @param deals number of permutations; 999 give a chance of three digits
     * @param seed the same seed gives the same chance
     */
    static PermutationTest of(
            List<Repeat> repeats, ToDoubleBiFunction<Latencies, Latencies> statistic, int deals, long seed) {
        double found = apart(repeats, statistic);
        if (found == 0) {
            return new PermutationTest(0, 1);
        }
        Random random = new Random(seed);
        int asGreat = 1; // the data themselves are one of the deals
        for (int i = 0; i < deals; i++) {
            List<Repeat> dealt =
                    repeats.stream().map(repeat -> repeat.dealt(random)).toList();
            asGreat += apart(dealt, statistic) >= found ? 1 : 0;
        }
        return new PermutationTest(found, asGreat / (deals + 1.0));
    }

    private static double apart(List<Repeat> repeats, ToDoubleBiFunction<Latencies, Latencies> statistic) {
        List<double[]> baseline = new ArrayList<>();
        List<double[]> treatment = new ArrayList<>();
        for (Repeat repeat : repeats) {
            List<double[]> blocks = repeat.blocks();
            baseline.addAll(blocks.subList(0, repeat.baseline()));
            treatment.addAll(blocks.subList(repeat.baseline(), blocks.size()));
        }
        return statistic.applyAsDouble(Latencies.pooled(baseline), Latencies.pooled(treatment));
    }
}
