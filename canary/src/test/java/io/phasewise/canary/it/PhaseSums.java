/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.phase.Phase;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the phases of the probes of some stretch of time sum to, as exported. */
record PhaseSums(Map<Phase, Double> seconds, double probes) {
    static final String FAMILY = "kafka_canary_phase_latency_seconds";
    static final String END_TO_END = "kafka_canary_end_to_end_latency_seconds";

    /**
     * Probes through some leaders.
     *
     * @param grown what was recorded meanwhile, see {@link Scrape#since}
     * @param of the label that tells whose: {@code cluster=...} or {@code profile=...}
     */
    static PhaseSums of(Scrape grown, String of, int... leaders) {
        Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
        double probes = 0;
        for (Phase phase : Phase.values()) {
            double sum = 0;
            double count = 0;
            for (int leader : leaders) {
                String[] labels = {of, Scrape.leader(leader), "phase=" + phase.label()};
                sum += grown.sum(FAMILY + "_sum", labels);
                count += grown.sum(FAMILY + "_count", labels);
            }
            seconds.put(phase, sum);
            probes = count;
        }
        return new PhaseSums(seconds, probes);
    }

    /** Mean of each phase, milliseconds. */
    Map<Phase, Double> means() {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        seconds.forEach((phase, sum) -> means.put(phase, sum / probes * 1e3));
        return means;
    }

    /** The mean of all phases together, milliseconds. */
    double total() {
        return total(means());
    }

    static double total(Map<Phase, Double> means) {
        return means.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Of a list of durations in nanoseconds, as the status has them. */
    static long nanos(JsonNode nanos) {
        long sum = 0;
        for (JsonNode each : nanos) {
            sum += each.asLong();
        }
        return sum;
    }

    /** By how much the mean of each phase exceeds that of a baseline, milliseconds. */
    Map<Phase, Double> minus(PhaseSums baseline) {
        Map<Phase, Double> growth = means();
        baseline.means().forEach((phase, mean) -> growth.merge(phase, -mean, Double::sum));
        return growth;
    }

    @Override
    public String toString() {
        return line(means()) + " (" + Math.round(probes) + " probes)";
    }

    static String line(Map<Phase, Double> millis) {
        return millis.entrySet().stream()
                .map(e -> String.format(Locale.ROOT, "%s %.2f", e.getKey().label(), e.getValue()))
                .collect(Collectors.joining(", ", "", " ms"));
    }

    /** Whether so many probes came back through each leader. */
    static boolean recorded(Scrape grown, String of, int each, int... leaders) {
        return IntStream.of(leaders).allMatch(leader -> of(grown, of, leader).probes() >= each);
    }
}
