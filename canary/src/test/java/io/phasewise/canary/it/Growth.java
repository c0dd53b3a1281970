/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.common.phase.Phase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * What a fault added to the mean of each phase, in milliseconds, once for each pair of a stretch of
 * time without it and one with it, held against what was injected; measuring is left to {@link
 * Rounds}.
 *
 * <p>The median over the pairs counts (a median of means: a machine that is busy with something
 * else for a moment spoils some pairs, what a canary does wrong it does in all). A phase has to
 * grow by what was put into it, within {@link #TOLERANCE}, and the phases that nothing was put into
 * by less than that share of all that was injected, together. How the figures scatter widens
 * nothing: whether the machine was fit is the {@link Referee}'s to say.
 *
 * @param machine what the kernel said of it, for who reads that a test failed
 */
record Growth(String what, List<Map<Phase, Double>> pairs, String machine) {
    /** Share of what was injected that a phase may lack, and by which the others may grow. */
    static final double TOLERANCE = 0.1;

    /** Beyond this share of what was injected, what a fault brings with it would hide it. */
    private static final double MOST_MORE = 0.5;

    /** As {@link #isInjected(List, double)}, where each pair was injected with the same. */
    void isInjected(Map<Phase, Double> each, double more) {
        isInjected(Collections.nCopies(pairs.size(), each), more);
    }

    /**
     * @param injected what each pair was injected with
     * @param more what the fault may have added beyond that to the phases it is in, milliseconds;
     *     at most half of all that was injected
     */
    void isInjected(List<Map<Phase, Double>> injected, double more) {
        Map<Phase, Double> put = new EnumMap<>(Phase.class);
        injected.forEach(
                each ->
                        each.forEach(
                                (phase, ms) -> put.merge(phase, ms / pairs.size(), Double::sum)));
        Map<Phase, Double> added = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            List<Double> excess = new ArrayList<>();
            for (int i = 0; i < pairs.size(); i++) {
                excess.add(pairs.get(i).get(phase) - injected.get(i).getOrDefault(phase, 0.0));
            }
            added.put(phase, put.getOrDefault(phase, 0.0) + median(excess));
        }
        double others = median(pairs.stream().map(pair -> others(pair, put)).toList());
        double all = PhaseSums.total(put);
        String said =
                "%s: injected %s (up to %.2f more); added %s; others together %.2f; %d pairs%n%s%n%s"
                        .formatted(
                                what,
                                PhaseSums.line(put),
                                more,
                                PhaseSums.line(added),
                                others,
                                pairs.size(),
                                pairs,
                                machine);

        assertThat(more).as("%s: ms that hide what was injected", said).isLessThan(MOST_MORE * all);
        assertThat(others)
                .as("%s: ms added to other phases", said)
                .isCloseTo(0, within(TOLERANCE * all));
        put.forEach(
                (phase, millis) ->
                        assertThat(added.get(phase))
                                .as("%s: ms added to %s", said, phase.label())
                                .isBetween(
                                        (1 - TOLERANCE) * millis,
                                        // One that ends sets free at once what it held up.
                                        millis + TOLERANCE * all + more));
    }

    private static double others(Map<Phase, Double> pair, Map<Phase, Double> put) {
        return pair.entrySet().stream()
                .filter(e -> !put.containsKey(e.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    static double median(List<Double> values) {
        return new Median().evaluate(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
