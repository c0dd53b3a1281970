/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trip;

import java.util.Locale;

/**
 * How a probe ended: exactly one of these per scheduled probe. It never changes: a probe that turns
 * up after it was lost or not sent has resurfaced, and keeps the outcome it had.
 */
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
    /**
     * Given up before it was seen: by its producer, or before one had it, because too many were under
     * way or its partition was not open. What a producer gave up may have been appended all the same.
     */
    SEND_FAILED;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The value of the {@code outcome} label. */
    public String label() {
        return label;
    }
}
