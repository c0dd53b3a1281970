/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

/**
 * Looks whether all records of a topic are probes; asked once for a topic of the default name that
 * has no mark, as version 0.1.0 created it. What follows from it is left to {@link TopicOwnership}.
 */
@FunctionalInterface
public interface RecordLook {
    /**
     * Looks, for a bounded time and at a bounded number of bytes.
     *
     * @param partitions how many the topic has
     * @return what its records are; never {@link TopicOwnership.Records#NOT_LOOKED_AT}
     * @throws org.apache.kafka.common.KafkaException when they cannot be read
     */
    TopicOwnership.Records look(int partitions) throws InterruptedException;
}
