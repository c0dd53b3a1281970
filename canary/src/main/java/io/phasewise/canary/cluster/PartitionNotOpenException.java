/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import org.apache.kafka.common.KafkaException;

/** A probe was not sent: its partition has no leader that the clients know, or cannot be read. */
final class PartitionNotOpenException extends KafkaException {
    private static final long serialVersionUID = 1L;

    PartitionNotOpenException() {
        super(
                "not sent: the clients know no leader of the partition, or the consumer cannot read"
                        + " it");
    }

    /** One serves for all probes: where it was made says nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
