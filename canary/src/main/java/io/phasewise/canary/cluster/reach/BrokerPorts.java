/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.kafka.PortLook;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out what the ports of unreachable brokers speak. As a look may take seconds, there is at
 * most one in a round, and one a minute for each broker. Which brokers are unreachable is left to
 * {@link BrokerReach}. Used by one thread.
 */
public final class BrokerPorts {
    private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

    private final PortLook look;
    private final Map<String, ?> properties;
    private final Map<Integer, LastLook> lastLooks = new HashMap<>();
    private long lastNanos;

    private record LastLook(Broker at, long nanos, Optional<String> text) {}

    /**
     * @param look asks a port what it speaks
     * @param properties of the clients
     * @param nowNanos the present
     */
    public BrokerPorts(PortLook look, Map<String, ?> properties, long nowNanos) {
        this.look = look;
        this.properties = properties;
        this.lastNanos = nowNanos;
    }

    /**
     * What a broker's port speaks in place of what the clients speak, as a text for the reader;
     * empty when both speak the same, when the port does not answer, and before the first look.
     *
     * @param nowNanos the present, the same for all brokers of a round
     */
    public Optional<String> mismatch(Broker broker, long nowNanos) {
        LastLook known = lastLooks.get(broker.id());
        boolean isDue = known == null || !known.at().equals(broker) || nowNanos - known.nanos() >= AGAIN_NANOS;
        if (isDue && nowNanos != lastNanos) {
            lastNanos = nowNanos;
            known = new LastLook(
                    broker,
                    nowNanos,
                    look.look(broker.host(), broker.port(), properties, "client.")
                            .map(PortLook.Mismatch::text));
            lastLooks.put(broker.id(), known);
        }
        return known == null ? Optional.empty() : known.text();
    }

    /**
     * Forgets all brokers but those that cannot be connected to.
     *
     * @param unreachable their ids
     */
    public void retain(Collection<Integer> unreachable) {
        lastLooks.keySet().retainAll(unreachable);
    }
}
