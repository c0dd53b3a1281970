/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import java.time.Duration;
import java.util.Collection;
import org.apache.kafka.common.Node;

/** Times tiny requests to brokers; see {@link BrokerPing}. Used by one thread. */
public interface PingClient extends AutoCloseable {
    /**
     * Sends the requests that are due, and takes the answers that come until the next one is.
     *
     * @param brokers the ones to ask; connections to others are closed
     * @param atMost returns after this at the latest
     */
    void turn(Collection<Node> brokers, Duration atMost);

    @Override
    void close();
}
