/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import static io.phasewise.canary.phases.ProbeObservation.UNKNOWN;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.ClockLine;
import io.phasewise.canary.phases.Passage;
import io.phasewise.canary.phases.ProbeObservation;

/**
 * What a probe that has both says of the broker's clock: it was sent before the broker received it,
 * and the broker answered, or committed it, before the canary knew. No work of the broker lies in
 * either, so both bounds are tight.
 */
final class Exchange {

    private Exchange() {}

    /** Has the clock learn from it. */
    static void teach(ClockLine clock, ProbeObservation seen, Passage there) {
        long arrived = there.received() == UNKNOWN ? there.appendBegan() : there.received();
        boolean acknowledged = seen.acknowledged() != UNKNOWN && seen.acks() != Acks.NONE;
        long knownAt = acknowledged ? seen.acknowledged() : seen.delivered();
        long left = there.committed();
        if (acknowledged && seen.acks() == Acks.LEADER) {
            left = there.appended();
        }
        if (acknowledged && there.answered() != UNKNOWN) {
            left = there.answered();
        }
        clock.add(knownAt, left - knownAt, seen.dispatched(), arrived - seen.dispatched());
    }
}
