/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.run.Circumstances;
import io.phasewise.experiments.run.Turn;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All turns of one variant in figures.
 *
 * @param variant its name
 * @param endToEnd of all its probes
 * @param percentiles of the same, as far as the probes suffice
 * @param acknowledged from when a probe was due to its acknowledgement
 * @param leaders end to end by the broker that led the probe
 * @param phases means of those that came back, milliseconds; they add up to the mean
 * @param stalled how many probes were under way while the canary itself was paused
 * @param circumstances means over the turns
 */
public record Summary(
        String variant,
        Latency endToEnd,
        List<Percentile> percentiles,
        Latency acknowledged,
        Map<Integer, Latency> leaders,
        Map<Phase, Double> phases,
        long stalled,
        Circumstances circumstances) {

    /**
     * One latency in figures, milliseconds. A percentile that falls among probes without that
     * latency is infinite.
     *
     * @param probes how many there were
     * @param present how many of them have that latency
     * @param min the fastest
     * @param mean of those that have it
     * @param p50 50th percentile of all
     * @param p99 99th percentile; NaN where there are too few probes for it
     * @param max the slowest
     */
    public record Latency(
            int probes, long present, double min, double mean, double p50, double p99, double max) {

        private static Latency of(Latencies all) {
            return new Latency(
                    all.values().length,
                    all.count(),
                    all.min(),
                    all.mean(),
                    all.quantile(0.5),
                    all.tail(0.99),
                    all.max());
        }
    }

    static Summary of(List<Turn> turns, List<Percentile> percentiles) {
        List<ProbeRecord> probes = turns.stream().flatMap(t -> t.probes().stream()).toList();
        Map<Phase, Double> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            phases.put(phase, Latencies.of(turns, p -> p.phases()[phase.ordinal()]).mean());
        }
        Map<Integer, Latency> leaders = new TreeMap<>();
        probes.stream()
                .collect(Collectors.groupingBy(ProbeRecord::leader))
                .forEach(
                        (leader, led) ->
                                leaders.put(
                                        leader,
                                        Latency.of(
                                                new Latencies(
                                                        led.stream()
                                                                .mapToDouble(ProbeRecord::endToEnd)
                                                                .toArray()))));
        return new Summary(
                turns.get(0).variant(),
                Latency.of(Latencies.of(turns, ProbeRecord::endToEnd)),
                percentiles,
                Latency.of(Latencies.of(turns, ProbeRecord::acknowledged)),
                leaders,
                phases,
                probes.stream().filter(ProbeRecord::stalled).count(),
                Circumstances.mean(turns.stream().map(Turn::circumstances).toList()));
    }
}
