/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * What matters of a partition to the choice of its leader.
 *
 * @param leader its broker id, -1 for none
 * @param replicas broker ids in order of preference, none twice
 * @param inSync broker ids of the in-sync replicas
 * @param minInSync the topic's min.insync.replicas, at least 1
 */
record PartitionState(
        TopicPartition partition, int leader, List<Integer> replicas, Set<Integer> inSync, int minInSync) {}
