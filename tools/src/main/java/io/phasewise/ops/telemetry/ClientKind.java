/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.telemetry;

import io.phasewise.common.telemetry.PushedMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Clients that are asked to push, by what a broker knows of their software, and what they are asked
 * for. Only versions that were tried are asked: what is not known to be safe for a version is off
 * for it. The brokers match whole texts.
 *
 * @param suffix of the name of their subscription
 * @param software regular expression of the software's name; null for any
 * @param version regular expression of its version
 * @param versionBefore the one of earlier commits, by which their subscriptions are known
 * @param metrics names, or {@link #ALL}
 * @param who for people: the library and its versions
 */
record ClientKind(
        String suffix, String software, String version, String versionBefore, List<String> metrics, String who) {

    /** Asks for everything. */
    static final String ALL = "*";

    static final String SOFTWARE = "client_software_name";
    static final String VERSION = "client_software_version";

    /**
     * From 2.5.3: before, a client can end with a failed assertion when a subscription names no
     * metric that it has (librdkafka issue 4833). Releases in between were not run.
     */
    private static final String RDKAFKA = "2[.](5[.]3|6[.]1|8[.]0|10[.][01]|16[.]0)(-.*)?";

    private static final String RDKAFKA_RELEASES = "librdkafka 2.5.3, 2.6.1, 2.8.0, 2.10.0, 2.10.1 or 2.16.0";

    /** What earlier commits asked. */
    private static final String RDKAFKA_BEFORE = "2[.](5[.]([3-9]|[1-9][0-9]+)|([6-9]|1[0-6])[.][0-9]+)(-.*)?";

    /**
     * Those of librdkafka are asked for everything, which is little. Up to 2.10.0 they keep only
     * one of several names: they push nothing at all then, in a form that no broker can read, and
     * lose the connection. Java's are asked by name: everything grows with topics and partitions.
     * Those of franz-go take the asterisk for the beginning of a name.
     */
    static final List<ClientKind> TRIED = List.of(
            new ClientKind(
                    "",
                    "apache-kafka-java",
                    "(3[.][79]|4[.]4)[.][0-9]+",
                    "(3[.][7-9]|4[.][0-4])([.-].*)?",
                    PushedMetrics.names(""),
                    "Java 3.7, 3.9 or 4.4"),
            new ClientKind(
                    "-librdkafka",
                    "librdkafka|confluent-kafka-go",
                    RDKAFKA,
                    RDKAFKA_BEFORE,
                    List.of(ALL),
                    RDKAFKA_RELEASES),
            new ClientKind(
                    "-librdkafka-bindings",
                    null,
                    ".*rdkafka-" + RDKAFKA,
                    ".*rdkafka-" + RDKAFKA_BEFORE,
                    List.of(ALL),
                    "libraries that state " + RDKAFKA_RELEASES + " in their version (confluent-kafka-python)"),
            new ClientKind(
                    "-franz-go",
                    "kgo",
                    "v1[.]22[.][0-9]+",
                    "v1[.]22[.].*",
                    PushedMetrics.names("kgo"),
                    "franz-go 1.22"));

    /** Which versions it asks, or asked when an earlier commit made it. */
    List<String> versions() {
        return List.of(version, versionBefore);
    }

    /**
     * Its subscription.
     *
     * @param match further conditions, as {@code client_id=REGEX}
     */
    Map<String, String> settings(long intervalMillis, List<String> match) {
        List<String> all = new ArrayList<>();
        if (software != null) {
            all.add(SOFTWARE + "=" + software);
        }
        all.add(VERSION + "=" + version);
        all.addAll(match);
        return new TreeMap<>(Map.of(
                "metrics", String.join(",", metrics),
                "interval.ms", Long.toString(intervalMillis),
                "match", String.join(",", all)));
    }
}
