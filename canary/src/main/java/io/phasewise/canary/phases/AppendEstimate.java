/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

/**
 * When a leader appended a record, as far as bounds allow to tell; nanoseconds on the canary's
 * monotonic clock.
 *
 * @param instant the estimate, T2; between the two bounds
 * @param earliest the append was not before
 * @param latest nor after; not before {@code earliest}
 */
public record AppendEstimate(long instant, long earliest, long latest) {

    /** What holds without any knowledge of the broker's clock: the middle of the bounds. */
    static AppendEstimate between(long earliest, long latest) {
        return new AppendEstimate(earliest + (latest - earliest) / 2, earliest, latest);
    }

    /** How far {@link #instant} can be off, nanoseconds, at least 0. */
    public long uncertaintyNanos() {
        return Math.max(latest - instant, instant - earliest);
    }
}
