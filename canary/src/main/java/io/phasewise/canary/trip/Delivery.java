/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trip;

/**
 * What the consumer reports of one probe.
 *
 * @param atNanos T5, when poll() returned it, monotonic nanoseconds
 * @param appendMillis the leader's LogAppendTime, or {@link #NO_APPEND_TIME}; reading it then fails
 * @param offset where the record lies in the partition that it was read from
 * @param follower the broker that the record was fetched from, or {@link #BY_THE_LEADER}
 * @param epoch of the leader that appended it, or {@link #NO_EPOCH}
 */
public record Delivery(long atNanos, long appendMillis, long offset, int follower, int epoch) {
    /** The topic's records do not carry the leader's LogAppendTime. */
    public static final long NO_APPEND_TIME = -1;

    /** The record was fetched from the leader, as all are unless the consumer says its rack. */
    public static final int BY_THE_LEADER = -1;

    /** The record does not say under which leader it was appended. */
    public static final int NO_EPOCH = -1;

    /** A delivery of a record that was fetched from the leader, without an epoch. */
    public Delivery(long atNanos, long appendMillis, long offset) {
        this(atNanos, appendMillis, offset, BY_THE_LEADER, NO_EPOCH);
    }

    /** Whether the record carries the leader's LogAppendTime. */
    public boolean hasAppendTime() {
        return appendMillis != NO_APPEND_TIME;
    }

    @Override
    public long appendMillis() {
        if (!hasAppendTime()) {
            throw new IllegalStateException("the record carries no LogAppendTime");
        }
        return appendMillis;
    }
}
