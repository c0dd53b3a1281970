/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.io.IOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** What of the traces' keys no constraint can say: the receiver's URL and the headers. */
final class TracesReader {
    static final String ENDPOINT =
            "an http:// or https:// URL with its path, such as http://collector:4318/v1/traces,"
                    + " without user or query";

    private TracesReader() {}

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
    static Optional<TracesConfig> read(Section given, TracesConfig traces) {
        for (String name : traces.headers().keySet()) {
            TraceHeaders.fault(name, traces.headers().get(name))
                    .ifPresent(fault -> given.fault("headers." + name, fault));
        }
        traces.headersFile().ifPresent(file -> checkFile(given, file));
        return Optional.of(traces).filter(config -> config.endpoint() != null);
    }

    private static void checkFile(Section given, Path file) {
        try {
            TraceHeaders.read(file);
        } catch (IOException | TraceHeaders.Unusable e) {
            String fault =
                    e instanceof TraceHeaders.Unusable
                            ? e.getMessage()
                            : e instanceof NoSuchFileException
                                    ? "there is no such file"
                                    : "cannot be read: " + e.getClass().getSimpleName();
            given.fault(
                    "headers-file",
                    Section.quote(given.text("headers-file"))
                            + (" " + fault + "; allowed: a file of \"name: value\" lines"));
        }
    }
}
