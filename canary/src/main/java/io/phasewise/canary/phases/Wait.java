/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

/**
 * A stretch of time in which a probe or a request was held up by a request in front of it; who that
 * is, is left to the producers. Monotonic nanoseconds.
 *
 * @param front the request in front, itself relabelled already for what it waited behind
 * @param from when the wait began at the earliest
 * @param until when it ended at the latest
 */
public record Wait(Timeline front, long from, long until) {
    /** How long it took, nanoseconds; 0 when it never began. */
    public long nanos() {
        return Math.max(0, until - from);
    }
}
