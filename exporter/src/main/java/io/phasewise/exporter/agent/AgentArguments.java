/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands after the {@code =} of {@code -javaagent}: {@code [host:]port[:file]}, as the stock
 * JMX exporter has it. Reading the file is left to others.
 */
public final class AgentArguments {

    /** A host is a name, an IPv4 address, or an IPv6 address in brackets. */
    private static final Pattern FORM =
            Pattern.compile("(?:(\\[[0-9A-Fa-f:.%\\w]+]|[A-Za-z0-9._-]+):)?(\\d{1,5})(?::(.*))?");

    private final String host;
    private final int port;
    private final Path file;

    private AgentArguments(String host, int port, Path file) {
        this.host = host;
        this.port = port;
        this.file = file;
    }

    /**
     * Reads the arguments.
     *
     * @param text may be null, as the JVM passes it where there is no {@code =}
     * @throws IllegalArgumentException when it is not of the form; the message says what is
     */
    public static AgentArguments parse(String text) {
        Matcher form = FORM.matcher(text == null ? "" : text);
        if (!form.matches()) {
            throw refused(text);
        }
        int port = Integer.parseInt(form.group(2));
        if (port > 65_535) {
            throw refused(text);
        }
        String file = form.group(3);
        try {
            return new AgentArguments(
                    form.group(1), port, file == null || file.isEmpty() ? null : Path.of(file));
        } catch (InvalidPathException e) {
            throw refused(text);
        }
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException(
                "agent argument '"
                        + (text == null ? "" : text)
                        + "': allowed is [HOST:]PORT[:CONFIG_FILE] with a port from 0 to 65535, for"
                        + " instance 7071 or 127.0.0.1:7071:/etc/phasewise/exporter.yml");
    }

    /** The address to listen on; empty for all. */
    public Optional<String> host() {
        return Optional.ofNullable(host)
                .map(h -> h.startsWith("[") ? h.substring(1, h.length() - 1) : h);
    }

    /** The port to listen on; 0 for any that is free. */
    public int port() {
        return port;
    }

    /** The configuration file; empty for the defaults. */
    public Optional<Path> file() {
        return Optional.ofNullable(file);
    }
}
