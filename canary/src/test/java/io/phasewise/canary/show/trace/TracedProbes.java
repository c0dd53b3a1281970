/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.phasewise.canary.account.Accounts;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.show.slow.ProbeSource;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Traces to test with. */
final class TracedProbes {
    /** Not a whole number of milliseconds, nor one that a double could hold. */
    static final Instant DUE = Instant.ofEpochSecond(1_795_315_200, 123_456_789);

    private TracedProbes() {}

    /** A slow probe of partition 3, led by broker 2, that waited for nobody. */
    static ProbeTrace slow(long sequence) {
        return slow(sequence, Outcome.DELIVERED);
    }

    /** The same, with another outcome. */
    static ProbeTrace slow(long sequence, Outcome outcome) {
        PhaseBreakdown phases = new PhaseBreakdown(7, 20_000_001, 30_000_003, 0, 5_000_009);
        return of(sequence, outcome, phases, 0);
    }

    /** The same with phases that are not the differences of its instants. */
    static ProbeTrace relabelled(long sequence) {
        PhaseBreakdown phases = new PhaseBreakdown(7, 1, 50_000_003, 0, 5_000_009);
        return of(sequence, Outcome.DELIVERED, phases, 20_000_000);
    }

    private static ProbeTrace of(long sequence, Outcome outcome, PhaseBreakdown phases, long waited) {
        SendResult sent = new SendResult(List.of(1007L), 54_000_000, 2, List.of(), 1000, waited, 4711);
        Delivery back = new Delivery(55_001_020, Delivery.NO_APPEND_TIME, 4711);
        Trip trip = new Trip(3, sequence, 2, 1000, outcome, Optional.of(sent), Optional.of(back), false);
        Breakdown breakdown = Accounts.with(
                new Breakdown(new Instants(1000, 1007, 20_001_008, 50_001_011, 50_001_011, 55_001_020), phases));
        ProbeSource source = new ProbeSource(
                "prod",
                "default",
                "phasewise-canary",
                0xfeedbeefL,
                new WallTime(() -> DUE, () -> 1000),
                (from, to) -> 0);
        return new ProbeTrace(
                TraceId.of(0xfeedbeefL, 3, sequence), source.delivered(trip, breakdown), List.of(2, 3), true);
    }
}
