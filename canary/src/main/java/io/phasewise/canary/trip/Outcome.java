/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trip;

import java.util.Locale;

/** How a probe ended: exactly one of these per scheduled probe. */
public enum Outcome {
    /** Seen by the consumer within the deadline. */
    DELIVERED,
    /**
     * Seen by the consumer after the deadline, within the loss horizon; its latency is observed all
     * the same.
     */
    LATE,
    /** Not seen within the loss horizon. */
    LOST,
    /** Given up by the producer before it was seen. */
    SEND_FAILED;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The value of the {@code outcome} label. */
    public String label() {
        return label;
    }
}
