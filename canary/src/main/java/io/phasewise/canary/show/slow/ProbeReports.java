/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import io.phasewise.canary.phases.ProbeObservation;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ProbeId;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.SendResult;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongBinaryOperator;

/**
 * Puts together what is known of one probe, under its name and with its date; which probes are
 * worth it is left to others.
 *
 * @param instance of the canary that sends them
 * @param wallTime dates T0
 * @param stalled how long this process was paused from one monotonic nanosecond to another; see
 *     {@link io.phasewise.canary.supervise.Stalls#within}
 */
public record ProbeReports(long instance, WallTime wallTime, LongBinaryOperator stalled) {
    /** The report of a probe that came back. */
    public SlowProbe delivered(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {
        return new SlowProbe(
                id(probe),
                probe.leader(),
                probe.partition(),
                delivery.offset(),
                probe.outcome(),
                wallTime.at(probe.dueNanos()),
                breakdown,
                acknowledged(probe, sending),
                sending == null ? 0 : sending.waitedNanos(),
                stalled.applyAsLong(probe.dueNanos(), delivery.atNanos()));
    }

    /** The report of a probe that ended without having come back. */
    UndeliveredProbe undelivered(Probe probe, Outcome outcome, SendResult sending) {
        List<Long> dispatches = sending == null ? List.of() : sending.dispatches();
        return new UndeliveredProbe(
                id(probe),
                probe.leader(),
                probe.partition(),
                outcome,
                wallTime.at(probe.dueNanos()),
                dispatches.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(dispatches.get(dispatches.size() - 1) - probe.dueNanos()),
                acknowledged(probe, sending));
    }

    private String id(Probe probe) {
        return ProbeId.of(instance, probe.partition(), probe.sequence());
    }

    private static OptionalLong acknowledged(Probe probe, SendResult sending) {
        return sending == null || sending.acknowledged() == ProbeObservation.UNKNOWN
                ? OptionalLong.empty()
                : OptionalLong.of(sending.acknowledged() - probe.dueNanos());
    }
}
