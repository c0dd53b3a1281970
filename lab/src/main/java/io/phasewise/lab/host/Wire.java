/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.host;

import java.time.Duration;

/** The way from one host to another: its delay, and how long packets really were held. */
final class Wire {
    private long delayNanos;
    private long heldNanos;
    private long packets;

    /** Sets the delay, and begins to count anew. */
    synchronized void delay(Duration delay) {
        delayNanos = delay.toNanos();
        heldNanos = 0;
        packets = 0;
    }

    synchronized long delayNanos() {
        return delayNanos;
    }

    /** Counts a packet that was held so long, and was to be held that long. */
    synchronized void passed(long nanos, long toBeHeldNanos) {
        if (toBeHeldNanos == delayNanos) {
            heldNanos += nanos;
            packets++;
        }
    }

    /** The mean since the delay was set; NaN without a packet. */
    synchronized double heldSeconds() {
        return heldNanos / 1e9 / packets;
    }
}
