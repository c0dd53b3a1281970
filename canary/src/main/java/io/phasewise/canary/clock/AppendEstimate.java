/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.clock;

/**
 * When a leader appended a record, as far as bounds allow to tell.
 *
 * @param earliest nanoseconds on the canary's monotonic clock
 * @param latest the same, not before {@code earliest}
 * @param step whether this record showed that the broker's clock had stepped
 */
public record AppendEstimate(long earliest, long latest, boolean step) {

    /** The middle: T2, off by at most {@link #uncertaintyNanos}. */
    public long instant() {
        return earliest + (latest - earliest) / 2;
    }

    /** Half the width, rounded up, at least 0. */
    public long uncertaintyNanos() {
        return (latest - earliest + 1) / 2;
    }
}
