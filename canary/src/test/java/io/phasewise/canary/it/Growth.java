/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.phase.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a fault added to the mean of each phase, in milliseconds, once for each pair of a stretch of
 * time without it and one with it, held against what was injected; measuring is left to {@link
 * Rounds}.
 *
 * <p>The median over the pairs counts (a median of means: a machine that is busy with something
 * else spoils some pairs, what a canary does wrong it does in all). A phase has to grow by what was
 * put into it, within a tenth, and the phases that nothing was put into by less than a tenth of all
 * that was injected, together.
 */
record Growth(String what, List<Map<Phase, Double>> pairs) {

    void isInjected(Map<Phase, Double> each) {
        isInjected(pairs.stream().map(pair -> each).toList());
    }

    /**
     * @param injected what each pair was injected with
     */
    void isInjected(List<Map<Phase, Double>> injected) {
        Map<Phase, Double> put = new EnumMap<>(Phase.class);
        Map<Phase, Double> added = new EnumMap<>(Phase.class);
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
        }
        double others = median(pairs.stream().map(pair -> others(pair, put)).toList());
        System.out.printf(
                Locale.ROOT,
                "%s: injected %s; added %s; others together %.2f; %d pairs%n",
                what,
                PhaseSums.line(put),
                PhaseSums.line(added),
                others,
                pairs.size());

        put.forEach(
                (phase, millis) ->
                        assertThat(added.get(phase))
                                .as("%s: ms added to %s", what, phase.label())
                                .isCloseTo(millis, within(0.1 * millis)));
        double all = put.values().stream().mapToDouble(Double::doubleValue).sum();
        assertThat(others)
                .as("%s: ms added to other phases: %s", what, PhaseSums.line(added))
                .isCloseTo(0, within(0.1 * all));
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
