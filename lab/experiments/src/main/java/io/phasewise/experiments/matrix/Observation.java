/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.measure.ProbeRecord;
import java.util.List;
import java.util.Optional;

/**
 * What was seen of one row, from a stretch of time without its fault to another one after it;
 * judging is left to {@link Judgement}.
 *
 * @param row that was run
 * @param start the canary's counts before the first stretch
 * @param end its counts after the last one
 * @param before probes due in the stretch before the fault
 * @param window probes due from just before it was begun until its mending
 * @param inForce of these, the ones since it was in force
 * @param after probes due in the stretch after it
 * @param seconds how long the fault lasted
 * @param told what a broker's own metrics showed while it lasted, mean milliseconds; NaN where they
 *     showed none or the row asks no broker
 * @param recovery seconds from the beginning of the mending until probes were as good as before; -1
 *     when they were not in time
 * @param notInTopic probes counted as delivered that another consumer did not find
 * @param contradictions probes of which two ends were told
 * @param logLines that the canary wrote, but for those of single probes
 * @param alive whether the canary's process is
 * @param alerts seen; empty when no Prometheus watched
 * @param missed what could not be seen in time
 */
record Observation(
        Row row,
        Reading start,
        Reading end,
        List<ProbeRecord> before,
        List<ProbeRecord> window,
        List<ProbeRecord> inForce,
        List<ProbeRecord> after,
        double seconds,
        double told,
        double recovery,
        long notInTopic,
        int contradictions,
        long logLines,
        boolean alive,
        Optional<Alerts> alerts,
        List<String> missed) {

    /** Counted as delivered, and found by nobody or without a latency. */
    long falseDeliveries() {
        return notInTopic + end.falseDeliveries();
    }

    /** More threads of the canary than before, beside those of lanes. */
    long moreThreads() {
        return end.threadsWithoutLanes() - start.threadsWithoutLanes();
    }

    /** Steps of brokers' clocks that the canary counted. */
    long clockSteps() {
        return end.grown(start, "kafka_canary_clock_steps_total");
    }
}
