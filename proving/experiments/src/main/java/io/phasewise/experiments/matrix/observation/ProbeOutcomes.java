/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.observation;

import io.phasewise.experiments.measure.ProbeLog;
import io.phasewise.experiments.measure.ProbeRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** How a row's probes ended, and when they recovered; pure functions. */
public final class ProbeOutcomes {
    /** Probes have recovered when they were as good as before for this long. */
    static final Duration RECOVERED_FOR = Duration.ofSeconds(2);

    /**
     * Probes are as good as before when the share of good ones is at least this much of the share
     * before.
     */
    static final double AS_BEFORE = 0.9;

    static final List<String> OUTCOMES = List.of("delivered", "late", "lost", "send_failed");

    private ProbeOutcomes() {}

    /**
     * When probes were as good as before again: the earliest due instant after the mending from
     * which on, for {@link #RECOVERED_FOR}, every leader of {@code before} has probes and the share
     * of good probes is at least {@link #AS_BEFORE} of the share before.
     *
     * @param log has the probes that have ended so far
     * @param lifted when the mending began
     * @param goodMillis a probe is good when it was delivered within this time
     * @return empty while it is not known
     */
    public static Optional<Instant> recovered(
            ProbeLog log, Instant lifted, List<ProbeRecord> before, double goodMillis) {
        Set<Integer> leaders = leaders(before);
        double wanted = AS_BEFORE * share(before, probe -> probe.within(goodMillis));
        List<ProbeRecord> since = log.due(lifted, Instant.MAX);
        for (int i = 0; i < since.size(); i++) {
            Instant from = since.get(i).due();
            Instant to = from.plus(RECOVERED_FOR);
            List<ProbeRecord> stretch = since.subList(i, since.size()).stream()
                    .takeWhile(probe -> probe.due().isBefore(to))
                    .toList();
            if (share(stretch, probe -> probe.within(goodMillis)) >= wanted
                    && leaders(stretch).containsAll(leaders)) {
                // A probe of this time that has not ended yet might be bad.
                return log.ended(to) ? Optional.of(from) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Set<Integer> leaders(List<ProbeRecord> probes) {
        return probes.stream().map(ProbeRecord::leader).collect(Collectors.toSet());
    }

    /** The share of probes for which the condition holds; 0 when there are no probes. */
    public static double share(List<ProbeRecord> probes, Predicate<ProbeRecord> so) {
        return probes.isEmpty() ? 0 : (double) probes.stream().filter(so).count() / probes.size();
    }

    /** How many probes ended in each outcome; every outcome is there. */
    public static Map<String, Long> outcomes(List<ProbeRecord> probes) {
        Map<String, Long> outcomes = new LinkedHashMap<>();
        OUTCOMES.forEach(outcome -> outcomes.put(outcome, 0L));
        probes.forEach(probe -> outcomes.merge(probe.outcome(), 1L, Long::sum));
        return outcomes;
    }

    /** The probes to some leaders. */
    public static List<ProbeRecord> of(Set<Integer> leaders, List<ProbeRecord> probes) {
        return probes.stream().filter(probe -> leaders.contains(probe.leader())).toList();
    }
}
