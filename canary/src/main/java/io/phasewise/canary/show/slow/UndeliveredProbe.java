/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.canary.trip.Outcome;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A probe that ended without having come back. It has no latency and no phases, but how far it got
 * is known.
 *
 * @param id see {@link io.phasewise.canary.probe.ProbeId}
 * @param leader the broker that led its partition when it was scheduled
 * @param partition its partition
 * @param outcome lost or send_failed
 * @param due T0 by the canary's wall clock
 * @param dispatchedNanos from T0 to the last produce request that carried it; empty when none is
 *     known
 * @param acknowledgedNanos from T0 to its acknowledgement; empty when there was none
 */
public record UndeliveredProbe(
        String id,
        int leader,
        int partition,
        Outcome outcome,
        Instant due,
        @JsonProperty("dispatchedNanosSinceDue") OptionalLong dispatchedNanos,
        @JsonProperty("acknowledgedNanosSinceDue") OptionalLong acknowledgedNanos) {}
