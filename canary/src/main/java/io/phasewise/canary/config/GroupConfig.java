/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether the probes' consumer is a member of a consumer group, and how; what it then measures is
 * left to the consumer.
 *
 * @param enabled whether it is; otherwise it assigns itself its partitions
 * @param id the group's; empty for a new one at each start of the process
 * @param protocol which of Kafka's two
 * @param commitInterval from one offset commit to the next, 100 ms to a minute
 */
public record GroupConfig(
        boolean enabled,

        @Form(value = "[A-Za-z0-9._-]{1,200}", allowed = "letters, digits, dots, dashes, underscores, at most 200")
        Optional<String> id,

        Protocol protocol,
        @Bounds("100ms to 1m") Duration commitInterval) {
    /** How the group agrees on who reads what. */
    public enum Protocol {
        /** The members agree, led by one of them; every broker knows it. */
        CLASSIC,
        /** The broker decides (KIP-848); brokers of 4.0 or newer. */
        CONSUMER
    }
}
