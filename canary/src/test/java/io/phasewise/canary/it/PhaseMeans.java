/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.common.phase.Phase;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/** The mean of each phase over the probes of some stretch of time, milliseconds, as exported. */
record PhaseMeans(Map<Phase, Double> millis) {
    static final String FAMILY = "kafka_canary_phase_latency_seconds";
    static final String END_TO_END = "kafka_canary_end_to_end_latency_seconds";

    /**
     * Of probes through some leaders.
     *
     * @param grown what was recorded meanwhile, see {@link Scrape#since}
     * @param of the label that tells whose: {@code cluster=...} or {@code profile=...}
     */
    static PhaseMeans of(Scrape grown, String of, int... leaders) {
        return each(phase -> {
            double sum = 0;
            double count = 0;
            for (int leader : leaders) {
                String[] labels = {of, Scrape.leader(leader), "phase=" + phase.label()};
                sum += grown.sum(FAMILY + "_sum", labels);
                count += grown.sum(FAMILY + "_count", labels);
            }
            return sum / count * 1e3;
        });
    }

    /** Of each phase the median over several stretches: what spoils one of them is left out. */
    static PhaseMeans median(List<PhaseMeans> stretches) {
        return each(phase -> median(stretches, of -> of.get(phase)));
    }

    static <T> double median(List<T> all, ToDoubleFunction<T> value) {
        return new Median().evaluate(all.stream().mapToDouble(value).toArray());
    }

    private static PhaseMeans each(ToDoubleFunction<Phase> value) {
        Map<Phase, Double> millis = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            millis.put(phase, value.applyAsDouble(phase));
        }
        return new PhaseMeans(millis);
    }

    double get(Phase phase) {
        return millis.get(phase);
    }

    double total() {
        return millis.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** By how much each phase exceeds that of a baseline. */
    PhaseMeans minus(PhaseMeans baseline) {
        return each(phase -> get(phase) - baseline.get(phase));
    }
}
