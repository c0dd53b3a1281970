/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.file.UnusableFileException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Where traces of probes go, and which probes become one.
 *
 * @param endpoint of an OTLP receiver over HTTP, the whole URL; null only before {@link #checked}
 * @param headers of every request; their values may be secret
 * @param headersFile with more of them, which win
 * @param sampleOneIn one of this many probes that are not slow becomes a trace; 0 for none
 * @param timeout of a request
 * @param maxWaiting traces that wait to be sent, at most
 */
public record TracesConfig(
        URI endpoint,
        Map<String, String> headers,
        Optional<Path> headersFile,
        @Bounds("0 to 1000000000") int sampleOneIn,
        @Bounds("100ms to 1m") Duration timeout,
        @Bounds("1 to 100000") int maxWaiting) {
    static final String ENDPOINT = "an http:// or https:// URL with its path, such as http://collector:4318/v1/traces,"
            + " without user or query";

    /**
     * The receiver's URL, if it is whole and without what may be a secret.
     *
     * @throws IllegalArgumentException otherwise
     */
    static URI endpoint(String text) {
        URI uri = URI.create(text);
        if (!text.matches("https?://[^/?#@]+/[^?#]+") || uri.getHost() == null) {
            throw new IllegalArgumentException();
        }
        return uri;
    }

    /**
     * Checks the headers, and the file that holds more of them.
     *
     * @param given the section that the keys are in
     * @return empty when no receiver is given; the other keys are checked all the same
     */
    Optional<TracesConfig> checked(Section given) {
        headers.forEach((name, value) ->
                TraceHeaders.fault(name, value).ifPresent(fault -> given.fault("headers." + name, fault)));
        headersFile.ifPresent(file -> checkFile(given, file));
        return endpoint == null ? Optional.empty() : Optional.of(this);
    }

    private static void checkFile(Section given, Path file) {
        try {
            TraceHeaders.read(file);
        } catch (UnusableFileException e) {
            String fault = Files.exists(file) ? e.getMessage() : "there is no such file";
            String shown = Section.quote(given.text(e.key())) + " " + fault;
            given.fault(e.key(), shown + "; allowed: a file of \"name: value\" lines");
        }
    }

    /** Names the headers and leaves out their values. */
    @Override
    public String toString() {
        return "TracesConfig[endpoint=%s, headers=%s, headersFile=%s, ...]"
                .formatted(endpoint, headers.keySet(), headersFile);
    }
}
