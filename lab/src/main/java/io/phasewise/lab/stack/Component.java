/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.Optional;

/**
 * One server of the stack and where it is reached; whether it runs is left to {@link
 * RunningComponent}.
 *
 * @param name unique in a stack: {@code broker-1}, {@code canary}, ...
 * @param port the one users care for, on loopback
 * @param url for people and probes; of a broker, its metrics
 * @param bootstrap host:port for Kafka clients; brokers only
 * @param metricsUrl what Prometheus scrapes; nodes only
 */
public record Component(
        String name,
        ComponentKind kind,
        int port,
        String url,
        Optional<String> bootstrap,
        Optional<String> metricsUrl) {
    /** Whether it is one of Kafka's own processes: a broker or a controller. */
    public boolean isNode() {
        return kind == ComponentKind.BROKER || kind == ComponentKind.CONTROLLER;
    }
}
