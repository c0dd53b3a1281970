/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

/** Told of the canary's produce requests, by the broker's network threads. */
public interface ProduceListener {

    /**
     * One has been answered. Instants are of System.nanoTime, each at or after the one before.
     *
     * @param received when it had been read from the connection
     * @param dequeued when a request handler took it
     * @param handled when that handler was done with it
     * @param completed when the response was ready
     * @param answered when a network thread took the response
     * @param sent when a network thread found it sent
     */
    void answered(long received, long dequeued, long handled, long completed, long answered, long sent);
}
