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

/** What a row's probes have in common: how they ended, when they recovered. Pure. */
public final class ProbeOutcomes {
    /** Probes are as good as before when they are for so long. */
    static final Duration RECOVERED_FOR = Duration.ofSeconds(2);

    /** As large a share of them is good, all but for so much. */
    static final double AS_BEFORE = 0.9;

    static final List<String> OUTCOMES = List.of("delivered", "late", "lost", "send_failed");

    private ProbeOutcomes() {}

    /**
     * When probes were as good as before again: the earliest due instant after the mending from
     * which on, for {@link #RECOVERED_FOR}, every leader of before has probes and at least {@link
     * #AS_BEFORE} of the share of before is good.
     *
     * @param log of the probes, as far as they have ended
     * @param lifted when the mending began
     * @param goodMillis a probe is good when it was delivered within that
     * @return empty while that cannot be said
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
                // What has not ended yet is of the stretch, too: it might not be good.
                return log.ended(to) ? Optional.of(from) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Set<Integer> leaders(List<ProbeRecord> probes) {
        return probes.stream().map(ProbeRecord::leader).collect(Collectors.toSet());
    }

    /** The share of some probes that are so; 0 when there are none. */
    public static double share(List<ProbeRecord> probes, Predicate<ProbeRecord> so) {
        return probes.isEmpty() ? 0 : (double) probes.stream().filter(so).count() / probes.size();
    }

    /** How many ended how, every outcome named. */
    public static Map<String, Long> outcomes(List<ProbeRecord> probes) {
        Map<String, Long> outcomes = new LinkedHashMap<>();
        OUTCOMES.forEach(outcome -> outcomes.put(outcome, 0L));
        probes.forEach(probe -> outcomes.merge(probe.outcome(), 1L, Long::sum));
        return outcomes;
    }

    /** Those of some leaders. */
    public static List<ProbeRecord> of(Set<Integer> leaders, List<ProbeRecord> probes) {
        return probes.stream().filter(probe -> leaders.contains(probe.leader())).toList();
    }
}
