/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * What matters of a partition to the choice of its leader.
 *
 * @param topicId of its topic, as Kafka writes it; another one after the topic was deleted and made
 *     again; null where the brokers are older than topic ids (Kafka 2.8)
 * @param leader its broker id, -1 for none
 * @param replicas broker ids in order of preference, none twice; while a reassignment runs, those
 *     of before and of after
 * @param inSync broker ids of the in-sync replicas
 * @param minInSync the topic's min.insync.replicas, at least 1
 * @param reassignment the one that runs; empty if none does
 */
record PartitionState(
        TopicPartition partition,
        String topicId,
        int leader,
        List<Integer> replicas,
        Set<Integer> inSync,
        int minInSync,
        Optional<Reassignment> reassignment) {

    /** Which replicas a partition gets and which it loses. */
    record Reassignment(List<Integer> adding, List<Integer> removing) {

        @Override
        public String toString() {
            return "a reassignment runs, which adds %s and removes %s".formatted(adding, removing);
        }
    }

    boolean isInSync(int broker) {
        return inSync.contains(broker);
    }
}
