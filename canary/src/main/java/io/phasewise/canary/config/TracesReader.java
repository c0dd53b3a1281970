/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Reads the keys of the traces: their defaults and ranges are said here and nowhere else. */
final class TracesReader {
    private static final String ENDPOINT =
            "an http:// or https:// URL with its path, such as http://collector:4318/v1/traces,"
                    + " without user or query";

    private final KeyReader keys;
    private final GivenKeys given;

    /**
     * @param keys reads values and notes faults
     * @param given which keys there are
     */
    TracesReader(KeyReader keys, GivenKeys given) {
        this.keys = keys;
        this.given = given;
    }

    /**
     * Reads them.
     *
     * @param at the prefix of the keys, with the dot
     * @return empty when no receiver is given; the other keys are checked all the same
     */
    Optional<TracesConfig> read(String at) {
        URI endpoint = endpoint(at + "endpoint");
        Map<String, String> headers = given.properties(at + "headers.");
        headers.forEach(
                (name, value) ->
                        TraceHeaders.fault(name, value)
                                .ifPresent(fault -> keys.fault(at + "headers." + name, fault)));
        TracesConfig read =
                new TracesConfig(
                        endpoint,
                        headers,
                        headersFile(at + "headers-file"),
                        keys.integer(at + "sample-one-in", 1000, 0, 1_000_000_000),
                        keys.duration(
                                at + "timeout",
                                Duration.ofSeconds(10),
                                Duration.ofMillis(100),
                                Duration.ofMinutes(1)),
                        keys.integer(at + "max-waiting", 2000, 1, 100_000));
        return endpoint == null ? Optional.empty() : Optional.of(read);
    }

    private URI endpoint(String key) {
        String text = keys.textOrNull(key);
        if (text == null) {
            return null;
        }
        try {
            URI uri = new URI(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (http
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawPath() != null
                    && uri.getRawPath().length() > 1) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Said below, without what may be a secret.
        }
        // Somebody may have put a password or a token in.
        boolean mayBeSecret = text.contains("@") || text.contains("?");
        keys.fault(
                key,
                (mayBeSecret ? "its value" : KeyReader.quote(text))
                        + " is not allowed; allowed: "
                        + ENDPOINT);
        return null;
    }

    private Optional<Path> headersFile(String key) {
        String text = keys.textOrNull(key);
        if (text == null) {
            return Optional.empty();
        }
        String fault;
        try {
            Path file = Path.of(text);
            TraceHeaders.read(file);
            return Optional.of(file);
        } catch (TraceHeaders.Unusable e) {
            fault = e.getMessage();
        } catch (NoSuchFileException e) {
            fault = "there is no such file";
        } catch (InvalidPathException e) {
            fault = "is not the name of a file";
        } catch (IOException e) {
            fault = "cannot be read: " + e.getClass().getSimpleName();
        }
        keys.fault(
                key,
                KeyReader.quote(text) + " " + fault + "; allowed: a file of \"name: value\" lines");
        return Optional.empty();
    }
}
