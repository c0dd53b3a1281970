/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.observation;

import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.measure.ProbeRecord;
import java.util.List;

/**
 * What was seen of one row, from a stretch of time without its fault to a second one after it.
 * Nothing is judged here.
 *
 * @param start the canary's counts before the first stretch
 * @param end its counts after the last one
 * @param before probes due in the first stretch
 * @param window probes due from just before the fault was begun until its mending began
 * @param inForce those of the window that were due after the fault had been begun
 * @param after probes due in the last stretch
 * @param addedMillis what the fault itself says that it added, in the mean of the probes {@code
 *     inForce} to the row's leaders; NaN where it does not know
 * @param seconds how long the fault lasted
 * @param brokerMean the mean that a broker's metrics showed while the fault lasted,
 *     milliseconds; NaN where they showed none, or the row asks for none
 * @param recovery seconds from the beginning of the mending until probes were as good as
 *     before; -1 when that took too long
 * @param notInTopic probes counted as delivered that another consumer did not find
 * @param alive whether the canary's process still runs
 * @param namedBefore suspects that were named when the row began
 * @param history of alerts and suspects
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
        double brokerMean,
        double recovery,
        long notInTopic,
        boolean alive,
        List<Suspect> namedBefore,
        AlertHistory history) {}
