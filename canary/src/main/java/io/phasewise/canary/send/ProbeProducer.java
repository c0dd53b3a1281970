/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.probe.ledger.Probe;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sends probes; which of possibly several Kafka producers carries one is the implementation's
 * business, what became of it is the ledger's.
 */
public interface ProbeProducer {
    /** What is learnt on the way beside what the ledger learns. */
    interface Listener {
        /**
         * A probe failed.
         *
         * @param probe which one
         * @param reason why
         */
        void failed(Probe probe, Exception reason);

        /**
         * A probe was given a lane.
         *
         * @param nanos how long it had waited for it, 0 for most
         */
        default void granted(long nanos) {}

        /**
         * A thread met a fault that nobody expected; it goes on.
         *
         * @param fault what was thrown
         */
        default void faulted(Throwable fault) {}
    }

    /**
     * Sends a probe, and sees to it that the ledger learns of its acknowledgement or failure. Never
     * blocks: the thread that calls serves all brokers.
     *
     * @param probe a probe just scheduled
     */
    void send(Probe probe);

    /**
     * Does what is to be done now and then; call it several times a second, from one thread.
     *
     * @param wanted the partitions that carry probes or shall do so; while one is not known, as
     *     after the topic got it, the cluster is asked again
     * @return who leads each partition as far as the clients know, which is where a probe sent now
     *     would go: leader's broker id by partition; partitions without a leader are left out;
     *     empty until the topic is known
     * @throws org.apache.kafka.common.KafkaException when the cluster refuses to tell
     */
    Map<Integer, Integer> tick(Set<Integer> wanted);

    /**
     * Replaces every Kafka client by one that is made again, in the background and without a pause
     * in sending; each old one stays until what is under way on it has ended. Thread-safe.
     */
    void renew();

    /**
     * Forgets brokers that have left the cluster. Thread-safe.
     *
     * @param members the brokers that have not
     */
    default void retainBrokers(Set<Integer> members) {}

    /** How many lanes there are; empty where one producer carries all. */
    default Optional<LaneCounts> lanes() {
        return Optional.empty();
    }

    /**
     * Closes the clients; what is unsent then fails.
     *
     * @param timeout how long to wait for what is on its way
     */
    void close(Duration timeout);
}
