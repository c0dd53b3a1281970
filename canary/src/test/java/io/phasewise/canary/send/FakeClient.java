/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.Node;

/** A Kafka producer without a network, connected at once. */
abstract class FakeClient implements LaneClient {
    volatile boolean closed;
    int refreshes;
    Collection<Node> connected = List.of();

    @Override
    public void refreshLeaders() {
        refreshes++;
    }

    @Override
    public void connect(Collection<Node> nodes) {
        connected = nodes;
    }

    @Override
    public boolean connecting() {
        return false;
    }

    @Override
    public void close(Duration timeout) {
        closed = true;
    }
}
