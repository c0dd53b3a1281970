/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.run.Turn;
import io.phasewise.experiments.run.TurnConditions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All turns of one variant in figures.
 *
 * @param variant its name
 * @param endToEnd latencies of all its probes
 * @param percentiles of these, as far as there are enough probes
 * @param acknowledged latencies from the due time until the acknowledgement
 * @param leaders end-to-end latencies by the broker that led the probe's partition
 * @param phases mean of each phase over the probes that came back, milliseconds; they add up to
 *     the mean
 * @param stalled how many probes were in flight while the canary itself was paused
 * @param conditions means over the turns
 */
public record Summary(
        String variant,
        Latencies endToEnd,
        List<Percentile> percentiles,
        Latencies acknowledged,
        Map<Integer, Latencies> leaders,
        Map<Phase, Double> phases,
        long stalled,
        TurnConditions conditions) {

    static Summary of(List<Turn> turns, List<Percentile> percentiles) {
        List<ProbeRecord> probes =
                turns.stream().flatMap(t -> t.probes().stream()).toList();
        Map<Integer, Latencies> leaders = new TreeMap<>();
        probes.stream()
                .collect(Collectors.groupingBy(ProbeRecord::leader))
                .forEach((leader, led) -> leaders.put(leader, Latencies.of(led.stream(), ProbeRecord::endToEnd)));
        return new Summary(
                turns.get(0).variant(),
                Latencies.of(probes.stream(), ProbeRecord::endToEnd),
                percentiles,
                Latencies.of(probes.stream(), ProbeRecord::acknowledged),
                leaders,
                ProbeRecord.means(probes),
                probes.stream().filter(ProbeRecord::stalled).count(),
                TurnConditions.mean(turns.stream().map(Turn::conditions).toList()));
    }
}
