/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers that find each other, of which clients find only the first: the second advertises a
 * host that DNS does not know, the third an address that takes connections and never answers.
 *
 * <p>Nothing here waits for the probes' topic: the request to create it goes to any broker, also to
 * one that cannot be reached, so that it may take minutes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnreachableBrokersIT {
    private static final String REACHABLE = "kafka_canary_broker_reachable";

    private KafkaCluster kafka;
    private ServerSocket silent;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        kafka = TestClusters.own(directory, 3, "", ClusterBuilder::behindLinks);
        kafka.prepare();
        TestClusters.advertise(directory, 2, "broker-2.invalid:9092");
        TestClusters.advertise(directory, 3, "127.0.0.1:" + silent.getLocalPort());
        kafka.launch();
        kafka.awaitReady();
        canary = RunningCanary.jar(
                directory,
                "clusters: {it: {bootstrap-servers: \"%s\", probe: {rate: 5}}}".formatted(kafka.bootstrap()),
                "-Xmx128m");
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, kafka, silent);
    }

    @Test
    void eachIsNamedWithItsAddressAndTheReasonAndTheReachableOneIsNot() {
        Map<Integer, String> told = Map.of(
                2,
                "cannot connect to broker 2 at broker-2.invalid:9092: unknown host",
                3,
                "cannot connect to broker 3 at 127.0.0.1:" + silent.getLocalPort() + ": no answer");
        told.forEach((broker, why) -> {
            awaitThat(
                    why,
                    () -> assertThat(canary.cluster("it").get("problems"))
                            .as(() -> canary.cluster("it").toString())
                            .filteredOn(problem -> problem.get("key").asText().equals("broker " + broker))
                            .singleElement()
                            .matches(problem -> problem.get("message").asText().startsWith(why)));
            canary.await(
                    "metric",
                    now -> now.text().contains(REACHABLE + "{broker=\"" + broker + "\"")
                            && now.sum(REACHABLE, "broker=" + broker) == 0);
            JsonNode shown = canary.cluster("it").get("brokers").get(broker - 1);
            assertThat(shown.get("unreachable").asText()).contains(why.split(" at ")[1]);
        });
        assertThat(canary.scrape().sum(REACHABLE, "broker=1")).isEqualTo(1);
        assertThat(canary.cluster("it").get("brokers").get(0).has("unreachable"))
                .isFalse();
        told.keySet()
                .forEach(broker -> assertThat(canary.log()
                                .lines()
                                .filter(line -> line.contains("cannot connect to broker " + broker + " ")))
                        .as("logged once, when it begins")
                        .hasSize(1));
    }
}
