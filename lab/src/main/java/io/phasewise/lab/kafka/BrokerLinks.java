/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.fault.FaultyLink;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.ClusterSettings.Listener;
import java.io.UncheckedIOException;

/**
 * The two links in front of one broker.
 *
 * @param clients through which clients reach it
 * @param replication through which other brokers reach it
 */
record BrokerLinks(FaultyLink clients, FaultyLink replication) implements AutoCloseable {

    /**
     * @param ports must have one for replication
     * @throws UncheckedIOException when a port cannot be bound
     */
    static BrokerLinks open(int id, BrokerPorts ports) {
        return new BrokerLinks(
                open("broker-" + id + "-clients", ports.client()),
                open("broker-" + id + "-replication", ports.replication().orElseThrow()));
    }

    private static FaultyLink open(String name, Listener listener) {
        return FaultyLink.open(name, listener.advertised(), listener.port());
    }

    @Override
    public void close() {
        clients.close();
        replication.close();
    }
}
