/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says whether a text is a list of servers as Kafka's clients take it; resolving names is left to them. */
final class BootstrapServers {
    static final String ALLOWED = "host:port with a port from 1 to 65535, several separated by commas";

    private static final Pattern SERVER = Pattern.compile("(?:[^\\s,:\\[\\]]+|\\[[0-9A-Fa-f:.%]+\\]):(\\d{1,5})");
    private static final int HIGHEST_PORT = 65_535;

    private BootstrapServers() {}

    /** Whether each of them has a host and a port that there can be; an IPv6 address in brackets. */
    static boolean areValid(String servers) {
        return Arrays.stream(servers.split(",", -1)).allMatch(each -> isServer(each.strip()));
    }

    private static boolean isServer(String server) {
        Matcher parts = SERVER.matcher(server);
        if (!parts.matches()) {
            return false;
        }
        int port = Integer.parseInt(parts.group(1));
        return port >= 1 && port <= HIGHEST_PORT;
    }
}
