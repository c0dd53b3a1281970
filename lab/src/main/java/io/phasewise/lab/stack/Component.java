/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.Optional;

/**
 * One server of the stack and its ports. {@link RunningComponent} is one that was started.
 *
 * @param name unique in a stack: {@code broker-1}, {@code canary}, ...
 * @param port the port for users, on the loopback
 * @param httpPort of a node the port of its exporter; of others the same as {@code port}
 */
public record Component(String name, ComponentKind kind, int port, int httpPort) {

    /** Its HTTP address; of a node that of its metrics. */
    public String url() {
        return kind.isNode() ? at("/metrics") : at("");
    }

    /** Host and port for Kafka clients; brokers only. */
    public Optional<String> bootstrap() {
        return kind == ComponentKind.BROKER ? Optional.of("127.0.0.1:" + port) : Optional.empty();
    }

    /** The address that Prometheus scrapes; nodes only. */
    public Optional<String> metricsUrl() {
        return kind.isNode() ? Optional.of(url()) : Optional.empty();
    }

    /** The address of a path of its HTTP server. */
    String at(String path) {
        return "http://127.0.0.1:" + httpPort + path;
    }
}
