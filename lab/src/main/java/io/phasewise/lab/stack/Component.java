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
 * @param httpPort on loopback; of a node its exporter's, of others the same port
 */
public record Component(String name, ComponentKind kind, int port, int httpPort) {

    /** For people and probes; of a node, its metrics. */
    public String url() {
        return kind.isNode() ? at("/metrics") : at("");
    }

    /** Host and port for Kafka clients; brokers only. */
    public Optional<String> bootstrap() {
        return kind == ComponentKind.BROKER ? Optional.of("127.0.0.1:" + port) : Optional.empty();
    }

    /** What Prometheus scrapes; nodes only. */
    public Optional<String> metricsUrl() {
        return kind.isNode() ? Optional.of(url()) : Optional.empty();
    }

    /** The address of a path of its HTTP server. */
    String at(String path) {
        return "http://127.0.0.1:" + httpPort + path;
    }
}
