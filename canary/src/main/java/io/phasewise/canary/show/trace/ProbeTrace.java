/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.phasewise.canary.show.slow.ProbeReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * A probe on its way to become a trace, with all that the trace says.
 *
 * @param id of the trace
 * @param probe what is known of it; it need not be slow
 * @param inSync its partition's in-sync replicas at the last look, seconds ago at most; empty when
 *     not known
 * @param slow whether it took longer than the SLO target
 */
record ProbeTrace(TraceId id, ProbeReport probe, List<Integer> inSync, boolean slow) {
    /** T0 by the canary's wall clock, nanoseconds since 1970. */
    long dueEpochNanos() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, probe.due());
    }
}
