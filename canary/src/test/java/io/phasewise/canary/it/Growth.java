/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.canary.phase.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * What a fault added to the mean of each phase, in milliseconds, once for each pair of a stretch of
 * time without it and one with it, held against what was injected; measuring is left to {@link
 * Rounds}.
 *
 * <p>The median over the pairs counts (a median of means: a machine that is busy with something
 * else spoils some pairs, what a canary does wrong it does in all). A phase has to grow by what was
 * put into it, within a tenth, and the phases that nothing was put into by less than a tenth of all
 * that was injected, together. Where chance alone moves that median by more than the tenth in one
 * of a thousand cases, so much is the bound, and where that is more than three tenths, the machine
 * was too busy to say anything and the test is given up as not run.
 */
record Growth(String what, List<Map<Phase, Double>> pairs) {

    void isInjected(Map<Phase, Double> each) {
        isInjected(pairs.stream().map(pair -> each).toList());
    }

    /**
     * @param injected what each pair was injected with
     */
    void isInjected(List<Map<Phase, Double>> injected) {
        isInjected(injected, 0);
    }

    /**
     * @param injected what each pair was injected with, at the least
     * @param more what the fault may have added beyond that to the phases it is in, milliseconds;
     *     where that is more than three tenths of all that was injected, nothing can be said
     */
    void isInjected(List<Map<Phase, Double>> injected, double more) {
        isInjected(injected, more, 0);
    }

    /**
     * As {@link #isInjected(List)}, of several phases.
     *
     * @param moved what may have gone from any of them to others of them, milliseconds
     */
    void isInjectedButFor(List<Map<Phase, Double>> injected, double moved) {
        isInjected(injected, moved, moved);
    }

    private void isInjected(List<Map<Phase, Double>> injected, double more, double less) {
        Map<Phase, Double> put = new EnumMap<>(Phase.class);
        Map<Phase, Double> added = new EnumMap<>(Phase.class);
        Map<Phase, Double> bound = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            List<Double> excess = new ArrayList<>();
            double sum = 0;
            for (int i = 0; i < pairs.size(); i++) {
                double known = injected.get(i).getOrDefault(phase, 0.0);
                excess.add(pairs.get(i).get(phase) - known);
                sum += known;
            }
            if (sum > 0) {
                put.put(phase, sum / pairs.size());
            }
            added.put(phase, put.getOrDefault(phase, 0.0) + median(excess));
            bound.put(phase, noise(excess));
        }
        List<Double> rest = pairs.stream().map(pair -> others(pair, put)).toList();
        double others = median(rest);
        double all = put.values().stream().mapToDouble(Double::doubleValue).sum();
        assumeTrue(
                more <= 0.3 * all,
                () ->
                        String.format(
                                Locale.ROOT, "%s: usual %.2f ms hide %.2f ms", what, more, all));
        double restBound = bound(what + ", other phases", all, noise(rest));
        System.out.printf(
                Locale.ROOT,
                "%s: injected %s (%.2f less to %.2f more); added %s; others together %.2f (bound"
                        + " %.2f); %d pairs%n",
                what,
                PhaseSums.line(put),
                less,
                more,
                PhaseSums.line(added),
                others,
                restBound,
                pairs.size());

        assertThat(others)
                .as("%s: ms added to other phases: %s", what, PhaseSums.line(added))
                .isCloseTo(0, within(restBound));
        put.forEach(
                (phase, millis) -> {
                    double margin = bound(what, millis, bound.get(phase));
                    assertThat(added.get(phase))
                            .as("%s: ms added to %s", what, phase.label())
                            .isBetween(millis - margin - less, millis + margin + more);
                });
    }

    /**
     * A tenth of what was injected, or the noise where that is more but leaves something to say.
     */
    private static double bound(String what, double injected, double noise) {
        assumeTrue(
                noise <= 0.3 * injected,
                () ->
                        String.format(
                                Locale.ROOT,
                                "%s: noise of %.2f ms hides %.2f ms",
                                what,
                                noise,
                                injected));
        return Math.max(0.1 * injected, noise);
    }

    /**
     * What chance moves the median by, at most, in all but one of a thousand cases: Student's t
     * times the median's standard error, which is sqrt(pi / 2) times that of a mean. The standard
     * deviation is told in two ways, of which the less counts: by all values, where they are alike;
     * and by the median deviation, which a few that stand out leave alone, but which tells it, by
     * simulation, with 0.42 of the values' degrees of freedom only.
     */
    static double noise(List<Double> values) {
        int n = values.size();
        double middle = median(values);
        double mean = values.stream().mapToDouble(v -> v).average().orElseThrow();
        double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
        double usual = 1.4826 * median(values.stream().map(v -> Math.abs(v - middle)).toList());
        return Math.sqrt(Math.PI / 2 / n)
                * Math.min(rare(n - 1) * Math.sqrt(squares / (n - 1)), rare(0.42 * n) * usual);
    }

    private static double rare(double freedom) {
        return TDistribution.of(freedom).inverseSurvivalProbability(0.0005);
    }

    private static double others(Map<Phase, Double> pair, Map<Phase, Double> put) {
        return pair.entrySet().stream()
                .filter(e -> !put.containsKey(e.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
