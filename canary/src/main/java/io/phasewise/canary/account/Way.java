/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.phase.Role;
import java.util.function.LongBinaryOperator;

/**
 * What the canary itself knows of the way of a probe that came back. Instants are nanoseconds of one clock, the leader's
 * where its marks are known, in order from {@code due} to {@code delivered}.
 *
 * @param leader the broker that took the record
 * @param formerRole what it waited for before another broker took it than the one that led when it was due: {@link
 *     Role#PROCESS} of a broker that is gone, {@link Role#CONTROLLER} where that one is still there, {@link Role#UNKNOWN}
 *     where nobody knows; {@link Role#CLIENT} where the same broker took it
 * @param former that broker
 * @param ahead how far the clock of these instants is ahead of the canary's
 * @param due T0
 * @param handedOver when a Kafka producer had it
 * @param dispatched T1
 * @param carried when the request left that carried it in the end
 * @param appended T2
 * @param committed T3
 * @param reached T4
 * @param delivered T5
 * @param lingerNanos how long its producer waits for more records
 * @param laneNanos how long it waited for a producer, and it is not known behind whom
 * @param delayNanos one way between canary and leader at rest
 * @param fetchedFrom the broker that it was read from
 * @param fetchDelayNanos the same for that broker
 * @param stalled how long the canary's process was paused between two instants of its own clock
 */
public record Way(
        int leader,
        int former,
        Role formerRole,
        long ahead,
        long due,
        long handedOver,
        long dispatched,
        long carried,
        long appended,
        long committed,
        long reached,
        long delivered,
        long lingerNanos,
        long laneNanos,
        long delayNanos,
        int fetchedFrom,
        long fetchDelayNanos,
        LongBinaryOperator stalled) {
    /** How long the canary's process was paused between two instants. */
    long stalledNanos(long from, long to) {
        return stalled.applyAsLong(from - ahead, to - ahead);
    }

    /** Whether another broker took it than the one that led when it was due. */
    boolean isMoved() {
        return formerRole != Role.CLIENT;
    }
}
