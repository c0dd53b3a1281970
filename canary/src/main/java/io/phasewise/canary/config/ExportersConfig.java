/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.tls.Pem;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the brokers' exporters report marks of the canary's records.
 *
 * @param port of the exporter on each broker's host, 1 to 65535; empty when only those of {@code
 *     addresses} are asked
 * @param addresses host and port by broker id, an IPv6 address in brackets, for brokers whose
 *     exporter is elsewhere
 * @param tls whether they are asked by HTTPS
 * @param ca PEM file of the authorities that are trusted; empty for those of the JVM
 * @param username empty when the exporters ask for none
 * @param passwordFile read again for each request; given together with the user name
 */
public record ExportersConfig(
        @Bounds("1 to 65535") Optional<Integer> port,
        Map<String, String> addresses,
        boolean tls,
        Optional<Path> ca,
        Optional<String> username,
        Optional<Path> passwordFile) {
    private static final Pattern ADDRESS =
            Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?]):([0-9]{1,5})");

    /** Whether any exporter is configured. */
    public boolean isGiven() {
        return port.isPresent() || !addresses.isEmpty();
    }

    /**
     * Host and port of a broker's exporter; empty when they are not known.
     *
     * @param host of the broker, empty when not known
     */
    public Optional<String> address(int broker, String host) {
        String own = addresses.get(String.valueOf(broker));
        if (own != null) {
            return Optional.of(own);
        }
        return port.isEmpty() || host.isEmpty() ? Optional.empty() : Optional.of(bracketed(host) + ":" + port.get());
    }

    private static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    private static boolean isAddress(String text) {
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches()) {
            return false;
        }
        int port = Integer.parseInt(address.group(3));
        try {
            // Does not look up names, and is strict with numbers in brackets.
            return port >= 1
                    && port <= 65_535
                    && (!text.startsWith("[") || new URI("http://" + text).getHost() != null);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /**
     * Adds the faults of keys that are valid alone but not together.
     *
     * @param given the section that they are in
     */
    void check(Section given) {
        addresses.forEach((broker, address) -> {
            if (!broker.matches("[0-9]{1,9}") || !isAddress(address)) {
                given.fault(
                        "addresses." + broker,
                        Section.quote(address)
                                + " is not allowed; allowed: host:port or [IPv6]:port, by broker id;"
                                + " ports are 1 to 65535");
            }
        });
        if (username.isPresent() != passwordFile.isPresent()) {
            given.fault(
                    username.isPresent() ? "password-file" : "username",
                    "is missing; required with the keys beside it: a name and a file with the password");
        }
        if (username.isPresent() && !tls) {
            given.warnings().add(given.at() + "username: without tls the password crosses the network");
        }
        ca.ifPresent(file -> {
            try {
                Pem.authorities("ca", file);
            } catch (UnusableFileException e) {
                given.fault("ca", Section.quote(given.text("ca")) + " " + e.getMessage());
            }
        });
    }
}
