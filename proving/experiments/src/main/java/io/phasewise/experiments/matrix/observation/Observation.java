/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.observation;

import io.phasewise.experiments.matrix.judgement.Judgement;
import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.measure.ProbeRecord;
import java.util.List;

/**
 * What was seen of one row, from a stretch of time without its fault to another one after it;
 * judging is left to {@link Judgement}.
 *
 * @param start the canary's counts before the first stretch
 * @param end its counts after the last one
 * @param before probes due in the stretch before the fault
 * @param window probes due from just before it was begun until its mending
 * @param inForce of these, the ones since it was in force
 * @param after probes due in the stretch after it
 * @param addedMillis to each probe in force of the row's leaders in the mean, as the fault knows;
 *     NaN where it does not
 * @param seconds how long the fault lasted
 * @param told what a broker's own metrics showed while it lasted, mean milliseconds; NaN where they
 *     showed none or the row asks no broker
 * @param recovery seconds from the beginning of the mending until probes were as good as before; -1
 *     when they were not in time
 * @param notInTopic probes counted as delivered that another consumer did not find
 * @param alive whether the canary's process is
 * @param namedBefore who was named when it began
 * @param history what alerts and suspects said of it
 */
public record Observation(
        CounterSnapshot start,
        CounterSnapshot end,
        List<ProbeRecord> before,
        List<ProbeRecord> window,
        List<ProbeRecord> inForce,
        List<ProbeRecord> after,
        double addedMillis,
        double seconds,
        double told,
        double recovery,
        long notInTopic,
        boolean alive,
        List<Suspect> namedBefore,
        AlertHistory history) {}
