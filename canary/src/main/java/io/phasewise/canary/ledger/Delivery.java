/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

/**
 * What the way back tells of one probe.
 *
 * @param atNanos T5, when poll() returned it, monotonic nanoseconds
 * @param appendMillis the leader's LogAppendTime, or {@link #NO_APPEND_TIME}
 * @param offset where the record lies in its partition
 */
public record Delivery(long atNanos, long appendMillis, long offset) {
    /** The topic's records do not carry the leader's LogAppendTime. */
    public static final long NO_APPEND_TIME = -1;
}
