/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.file.ConfiguredFile;
import io.phasewise.common.file.UnusableFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The rules of the headers that go with traces, and the form of the file that holds them. No fault
 * that is named here repeats a value, which may be secret.
 */
public final class TraceHeaders {
    private static final String FILE = "headers-file";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e\\t]{1,8192}");

    /** Headers that the HTTP client sets itself. */
    private static final Pattern OWNED = Pattern.compile(
            "connection|content-(encoding|length|type)|expect|host|transfer-encoding|upgrade|user-agent",
            Pattern.CASE_INSENSITIVE);

    private TraceHeaders() {}

    /**
     * Reads a file: one {@code name: value} a line; empty lines and those that begin with # are
     * skipped.
     *
     * @throws UnusableFileException when it cannot be read or holds anything else
     */
    public static Map<String, String> read(Path file) throws UnusableFileException {
        List<String> lines = ConfiguredFile.text(FILE, file).lines().toList();
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon)).strip();
            String value = line.substring(colon + 1).strip();
            Optional<String> fault = colon < 1 ? Optional.of("is not \"name: value\"") : fault(name, value);
            if (fault.isEmpty() && headers.put(name, value) != null) {
                fault = Optional.of("gives a header again");
            }
            if (fault.isPresent()) {
                throw new UnusableFileException(FILE, "line " + (i + 1) + " " + fault.get());
            }
        }
        return headers;
    }

    /** What is wrong with a header, if anything. */
    static Optional<String> fault(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            return Optional.of("has a name that no HTTP header can have");
        }
        if (OWNED.matcher(name).matches()) {
            return Optional.of("cannot be set: the canary sets it");
        }
        if (!VALUE.matcher(value).matches()) {
            return Optional.of("has a value that is not allowed; allowed: visible ASCII characters, spaces and"
                    + " tabs, at most 8192");
        }
        return Optional.empty();
    }
}
