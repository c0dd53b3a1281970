/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Where traces of probes go, and which probes become one.
 *
 * @param endpoint of an OTLP receiver over HTTP, the whole URL
 * @param headers of every request; their values may be secret
 * @param headersFile with more of them, which win
 * @param sampleOneIn of how many probes that are not slow one is taken, 0 for none
 * @param timeout of a request
 * @param maxWaiting traces that wait to be sent, at most
 */
public record TracesConfig(
        URI endpoint,
        Map<String, String> headers,
        Optional<Path> headersFile,
        @Within("0 to 1000000000") int sampleOneIn,
        @Within("100ms to 1m") Duration timeout,
        @Within("1 to 100000") int maxWaiting) {
    public TracesConfig {
        headers = Map.copyOf(headers);
    }

    /** Names the headers and leaves out what they say. */
    @Override
    public String toString() {
        return "TracesConfig[endpoint=%s, headers=%s, headersFile=%s, ...]"
                .formatted(endpoint, headers.keySet(), headersFile);
    }
}
