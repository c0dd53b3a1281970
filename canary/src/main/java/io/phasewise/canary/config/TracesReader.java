/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What of the traces' keys no constraint can say: the receiver's URL and the headers. */
final class TracesReader {
    private static final String ENDPOINT =
            "an http:// or https:// URL with its path, such as http://collector:4318/v1/traces,"
                    + " without user or query";

    private TracesReader() {}

    /** Refuses a URL that is not whole, or that may hold a secret; before it is bound. */
    static void checkEndpoint(Section canary) {
        String key = "traces.endpoint";
        String text = canary.text(key);
        if (canary.has(key) && !isWhole(text)) {
            // Somebody may have put a password or a token in.
            boolean mayBeSecret = text.contains("@") || text.contains("?");
            canary.refuse(
                    key,
                    (mayBeSecret ? "its value" : Faults.quote(text))
                            + " is not allowed; allowed: "
                            + ENDPOINT);
        }
    }

    private static boolean isWhole(String text) {
        try {
            URI uri = new URI(text);
            return List.of("http", "https").contains(String.valueOf(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawPath() != null
                    && uri.getRawPath().length() > 1;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /**
     * Checks the headers, and the file that holds more of them.
     *
     * @param canary the section that the keys are in
     * @return empty when no receiver is given; the other keys are checked all the same
     */
    static Optional<TracesConfig> read(Section canary, TracesConfig traces) {
        traces.headers()
                .forEach(
                        (name, value) ->
                                TraceHeaders.fault(name, value)
                                        .ifPresent(
                                                fault ->
                                                        canary.fault(
                                                                "traces.headers." + name, fault)));
        traces.headersFile().ifPresent(file -> checkFile(canary, "traces.headers-file", file));
        return traces.endpoint() == null ? Optional.empty() : Optional.of(traces);
    }

    private static void checkFile(Section canary, String key, Path file) {
        String fault;
        try {
            TraceHeaders.read(file);
            return;
        } catch (TraceHeaders.Unusable e) {
            fault = e.getMessage();
        } catch (NoSuchFileException e) {
            fault = "there is no such file";
        } catch (IOException e) {
            fault = "cannot be read: " + e.getClass().getSimpleName();
        }
        canary.fault(
                key,
                Faults.quote(canary.text(key))
                        + " "
                        + fault
                        + "; allowed: a file of \"name: value\" lines");
    }
}
