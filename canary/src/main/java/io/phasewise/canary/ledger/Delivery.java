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
 * @param follower the broker that the record was fetched from, or {@link #BY_THE_LEADER}
 */
public record Delivery(long atNanos, long appendMillis, long offset, int follower) {
    /** The topic's records do not carry the leader's LogAppendTime. */
    public static final long NO_APPEND_TIME = -1;

    /** The record was fetched from the leader, as all are unless the consumer says its rack. */
    public static final int BY_THE_LEADER = -1;

    /** One that was fetched from the leader. */
    public Delivery(long atNanos, long appendMillis, long offset) {
        this(atNanos, appendMillis, offset, BY_THE_LEADER);
    }
}
