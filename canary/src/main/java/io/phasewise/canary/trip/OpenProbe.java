/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trip;

import io.phasewise.canary.phases.Instants;
import java.util.Optional;

/**
 * What is known of one probe that has not come back, at one instant. A copy: what becomes of the probe later does not
 * change it.
 *
 * @param partition where it goes
 * @param leader id of the broker that led the partition when it was scheduled
 * @param dueNanos when it was due (T0), monotonic nanoseconds
 * @param handedOver when a Kafka producer had it, or {@link Instants#UNKNOWN} while none has; its dispatch follows at
 *     once where the leader is known and connected
 * @param sent what the producer reported; empty while it has not
 */
public record OpenProbe(int partition, int leader, long dueNanos, long handedOver, Optional<SendResult> sent) {
    /** What is known of a probe that ended without having come back. */
    public static OpenProbe of(Trip undelivered) {
        return new OpenProbe(
                undelivered.partition(),
                undelivered.leader(),
                undelivered.dueNanos(),
                undelivered
                        .sent()
                        .filter(sent -> !sent.dispatches().isEmpty())
                        .map(SendResult::handedOver)
                        .orElse(Instants.UNKNOWN),
                undelivered.sent());
    }

    /** Where its request went; before that is known the leader when it was scheduled. */
    public int broker() {
        return sent.map(SendResult::broker).orElse(leader);
    }

    /** Where its record lies, or {@link SendResult#NO_OFFSET}. */
    public long offset() {
        return sent.map(SendResult::offset).orElse(SendResult.NO_OFFSET);
    }

    /** Whether a Kafka producer has or had it. */
    public boolean isHandedOver() {
        return handedOver != Instants.UNKNOWN;
    }
}
