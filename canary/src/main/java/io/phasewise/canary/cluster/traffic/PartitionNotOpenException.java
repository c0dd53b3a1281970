/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import org.apache.kafka.common.errors.ApiException;

/**
 * A probe was not sent: its partition has no leader that the clients know, or cannot be read. One
 * instance serves for all probes: like every {@link ApiException} it has no stack trace.
 */
final class PartitionNotOpenException extends ApiException {
    private static final long serialVersionUID = 1L;

    PartitionNotOpenException() {
        super(
                "not sent: the clients know no leader of the partition, or cannot connect to it, or may not read from it");
    }
}
