/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.Objects;

/**
 * Where the canary serves its metrics and status.
 *
 * @param host address or name to bind, for example 127.0.0.1, or 0.0.0.0 in a container
 * @param port TCP port, 0 to 65535; 0 takes any free one
 */
public record HttpConfig(String host, int port) {
    public HttpConfig {
        Objects.requireNonNull(host);
    }
}
