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

    private static final int LAST_PORT = 65_535;

    /** The address to listen on; empty for all. */
    public final Optional<String> host;

    /** The port to listen on; 0 for any that is free. */
    public final int port;

    /** The configuration file; empty for the defaults. */
    public final Optional<Path> file;

    private AgentArguments(String host, int port, String file) {
        this.host = Optional.ofNullable(host).map(name -> name.replaceAll("[\\[\\]]", ""));
        this.port = port;
        this.file = Optional.ofNullable(file).filter(name -> !name.isEmpty()).map(Path::of);
    }

    /**
     * Reads the arguments.
     *
     * @param text may be null, as the JVM passes it where there is no {@code =}
     * @throws IllegalArgumentException when it is not of the form; the message says what is
     */
    public static AgentArguments parse(String text) {
        String given = text == null ? "" : text;
        Matcher form = FORM.matcher(given);
        try {
            int port = form.matches() ? Integer.parseInt(form.group(2)) : -1;
            if (port >= 0 && port <= LAST_PORT) {
                return new AgentArguments(form.group(1), port, form.group(3));
            }
        } catch (InvalidPathException e) {
            // Said below.
        }
        throw new IllegalArgumentException("agent argument '"
                + given
                + "': allowed is [HOST:]PORT[:CONFIG_FILE] with a port from 0 to 65535, for"
                + " instance 7071 or 127.0.0.1:7071:/etc/phasewise/exporter.yml");
    }
}
