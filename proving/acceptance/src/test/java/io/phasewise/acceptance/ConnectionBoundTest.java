/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every place in the source that makes a Kafka client takes its properties from a class that bounds
 * how long a connection may take ({@code ConnectionTimes}), and which ends silent ones of admin
 * clients. The tests of these classes check the bound, and that a user's own is kept.
 */
class ConnectionBoundTest {
    private static final Pattern MAKES = Pattern.compile("\\bAdmin(?:Client)?(?:\\.|::)create\\b"
            + "|\\b(?:new|extends) Kafka(?:Share)?(?:AdminClient|Consumer|Producer|Streams)\\b"
            + "|\\bcreateNetworkClient\\(|\\bnew NetworkClient\\(");

    /** The class that makes clients, and the class that their properties come from. */
    private static final Map<String, String> BOUNDED = Map.of(
            "canary/Main", "KafkaConfig",
            "canary/ProfileRun", "KafkaConfig",
            "canary/TrafficClients", "KafkaConfig",
            "canary/DispatchTimingProducer", "KafkaConfig",
            "canary/ExportedAdmin", "KafkaConfig",
            "canary/BrokerPing", "KafkaConfig",
            "tools/ClusterOption", "ClusterOption",
            "lab/ClusterAdmin", "ClusterAdmin");

    /**
     * Classes without the bound: they load or set up brokers on this machine that they have started
     * themselves. There is no firewall in between, and their load should behave as an application's
     * does.
     */
    private static final Set<String> OWN_BROKERS = Set.of(
            "proving/BusyHandlers",
            "proving/ColdData",
            "proving/ColdReaders",
            "proving/Producers",
            "proving/TopicLog",
            "proving/SteadyLoad",
            "proving/BareLoop",
            "proving/ScrapedBroker",
            "proving/Pictures",
            "deploy/SetupKafka");

    private static String place(Path file) {
        String name = Repository.name(file);
        return name.substring(0, name.indexOf('/'))
                + "/"
                + file.getFileName().toString().replace(".java", "");
    }

    @Test
    void everyClientHasTheBound() {
        Set<String> places = new TreeSet<>();
        Map<String, Boolean> bounds = new TreeMap<>();
        for (Path file : Repository.files("", ".java")) {
            if (Repository.name(file).contains("src/test/")) {
                continue;
            }
            String text = Repository.text(file);
            if (MAKES.matcher(text).find()) {
                places.add(place(file));
            }
            // Each of the classes gives properties to an admin client, too.
            bounds.put(
                    file.getFileName().toString().replace(".java", ""),
                    text.contains("ConnectionTimes.bound(") && text.contains("ConnectionTimes.endSilent("));
        }
        Set<String> known = new TreeSet<>(BOUNDED.keySet());
        known.addAll(OWN_BROKERS);
        assertThat(places)
                .as(
                        "makes a Kafka client: take its properties from a class that calls ConnectionTimes, and say so here")
                .isEqualTo(known);
        assertThat(BOUNDED.values())
                .allSatisfy(owner -> assertThat(bounds.get(owner)).as(owner).isTrue());
    }
}
