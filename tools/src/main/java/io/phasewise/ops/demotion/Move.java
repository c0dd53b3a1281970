/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** A partition's order of replicas, as it is and as it becomes. The first one is to lead. */
public record Move(TopicPartition partition, List<Integer> before, List<Integer> after) {

    /** As people are told. */
    @Override
    public String toString() {
        return "%s: leader %d, replicas %s -> %s".formatted(partition, after.get(0), before, after);
    }
}
