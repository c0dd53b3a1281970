/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.clients.producer.DispatchTimingProducer.TimedCallback;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;

/** A Kafka producer as far as {@link ProbeProducer}s need it. Thread-safe. */
public interface LaneClient {
    /**
     * Queues a record; never blocks.
     *
     * @param partition where to
     * @param key copied before this returns; may be null
     * @param value copied before this returns
     * @param callback called once with what became of it, possibly before this returns
     * @throws KafkaException when the producer is out of service for good; the callback is not
     *     called
     */
    void send(int partition, byte[] key, byte[] value, TimedCallback callback);

    /** See {@link org.apache.kafka.clients.producer.DispatchTimingProducer#leaders}. */
    Map<Integer, KnownLeader> leaders();

    /** Asks the cluster again who leads what. */
    void refreshLeaders();

    /** Sets up connections in the background. */
    void connect(Collection<Node> nodes);

    /** Whether {@link #connect} is under way. */
    boolean connecting();

    /** Closes it; what is unsent fails. */
    void close(Duration timeout);

    /** Makes Kafka producers. */
    @FunctionalInterface
    interface Factory {
        /**
         * Makes a producer; may take tens of milliseconds, but does not wait for the network.
         *
         * @param lane the lane's number, from 0; 0 where there are no lanes
         * @param serial how many were opened before, for a name of its own
         * @param attempts called with each request
         * @throws KafkaException when it cannot be made from its properties
         */
        LaneClient open(int lane, int serial, AttemptListener attempts);
    }
}
