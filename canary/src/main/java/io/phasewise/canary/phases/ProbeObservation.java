/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

/**
 * What was seen of one delivered probe, before its estimates are put in order, which {@link
 * Instants#normalised} does.
 *
 * <p>All instants are nanoseconds on the canary's monotonic clock.
 *
 * @param scheduled T0, when the probe was due
 * @param dispatched T1, when the produce request that carried it was handed to the network client
 * @param appended the estimate of T2, or {@link #UNKNOWN} where the topic has no LogAppendTime:
 *     publish is then zero and commit holds both, and whoever exports them must say so
 * @param acknowledged when the client saw the acknowledgement, or {@link #UNKNOWN} when it has seen
 *     none (yet, or because the request failed)
 * @param delivered T5, when poll() returned it
 * @param acks what the acknowledgement proves
 * @param oneWayDelay from the leader to the canary, nanoseconds, at least 0; 0 when not known
 * @param fetchDelay the same from the broker that the record was fetched from: another one where
 *     the consumer fetches from a follower
 */
public record ProbeObservation(
        long scheduled,
        long dispatched,
        long appended,
        long acknowledged,
        long delivered,
        Acks acks,
        long oneWayDelay,
        long fetchDelay) {

    /** An instant that is not known. */
    public static final long UNKNOWN = Long.MIN_VALUE;
}
