/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.common.marks.RequestMark;

/**
 * Told of the requests that matter to the canary, by the broker's network threads. Instants are of
 * System.nanoTime, each at or after the one before. Must not throw.
 */
public interface RequestListener {

    /**
     * A request of the canary has been answered. There are few of them: this may lock and allocate.
     *
     * @param api which
     * @param clientId as the canary gave it
     * @param processor id of the network thread
     * @param received when it had been read from the connection
     * @param dequeued when a request handler took it
     * @param handled when that handler was done with it
     * @param completed when the response was ready
     * @param answered when a network thread took the response
     * @param sent when a network thread found it sent
     */
    default void ofCanary(
            RequestMark.Api api,
            String clientId,
            int processor,
            long received,
            long dequeued,
            long handled,
            long completed,
            long answered,
            long sent) {}

    /**
     * A follower's fetch has been answered. Called for each, so it neither locks nor allocates but for the
     * first of a connection.
     *
     * @param clientId as the follower gave it, may be null
     * @param connection the same object for all requests of one connection
     */
    default void ofFollower(
            String clientId,
            String connection,
            int processor,
            long received,
            long dequeued,
            long completed,
            long answered,
            long sent) {}
}
