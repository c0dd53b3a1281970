/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.SharedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The way back on three real brokers: by a consumer that assigns itself its partitions, and by
 * members of a group by either protocol. Brokers in trouble are {@link ThreeBrokersIT}'s.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WayBackIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final List<String> GROUPS = List.of("classic", "consumer");
    private static final List<String> SET_UPS = List.of("cluster=alone", "cluster=classic", "cluster=consumer");
    private static final String COMMITS = "kafka_canary_offset_commit_latency_seconds";
    private static final String REBALANCES = "kafka_canary_rebalances_total";

    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        String each = """
                  %1$s:
                    bootstrap-servers: %2$s
                    topic: {name: way-back-%1$s, replication-factor: 1}
                    loss-horizon: 30s
                    probe: {rate: 10}
                    consumer-group: {enabled: %3$s, id: way-back-%1$s, protocol: %4$s, commit-interval: 200ms}
                """;
        String at = CLUSTER.get().bootstrap();
        String clusters = "clusters:\n"
                + each.formatted("alone", at, false, "classic")
                + each.formatted("classic", at, true, "classic")
                + each.formatted("consumer", at, true, "consumer");
        canary = RunningCanary.jar(directory, clusters, "-Xmx128m");
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary);
    }

    @BeforeEach
    void allIsWell() {
        awaitNoProblem();
        canary.awaitProbes(canary.scrape(), 10, SET_UPS, 1, 2, 3);
    }

    private void awaitNoProblem() {
        RunningCanary.await(
                "ready, and nothing to say",
                () -> canary.ready()
                        && canary.status().findValues("problems").stream().allMatch(each -> each.isEmpty()));
    }

    @Test
    void membersOfAGroupTimeTheirCommitsAndCountThatTheyJoined() throws Exception {
        for (String name : GROUPS) {
            String of = "cluster=" + name;
            Scrape scrape = canary.await("commits", now -> now.sum(COMMITS + "_count", of) > 5);

            assertThat(scrape.sum(COMMITS + "_sum", of) / scrape.sum(COMMITS + "_count", of))
                    .isBetween(1e-5, 1.0);
            assertThat(scrape.sum(REBALANCES, of)).isGreaterThanOrEqualTo(1);
            assertThat(CLUSTER.get()
                            .admin()
                            .listConsumerGroupOffsets("way-back-" + name)
                            .partitionsToOffsetAndMetadata()
                            .get(30, TimeUnit.SECONDS)
                            .values())
                    .hasSize(3)
                    .allMatch(committed -> committed.offset() > 0);
        }
        assertThat(canary.scrape().page().named(REBALANCES))
                .as("no group, no such series")
                .noneMatch(series -> series.labels().containsValue("alone"));
    }

    @Test
    void aRebalanceIsCountedAndLosesNothing() {
        Scrape before = canary.scrape();
        // One after the other, and each no longer than it must: what it reads the canary does not get.
        for (String name : GROUPS) {
            try (KafkaConsumer<byte[], byte[]> second = second(name)) {
                RunningCanary.patiently("a second member holds partitions, and the canary says so: " + name)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> {
                            second.poll(Duration.ofMillis(50));
                            return !second.assignment().isEmpty() && saysThatItIsShared(name);
                        });
            }
        }

        awaitNoProblem();
        canary.awaitProbes(canary.scrape(), 20, SET_UPS, 1, 2, 3);
        Scrape after = canary.await("nothing is under way any more but the latest", now -> now.inFlight() < 20);
        Scrape grown = after.since(before);
        for (String name : GROUPS) {
            String of = "cluster=" + name;
            assertThat(grown.sum(REBALANCES, of))
                    .as("%s: one joined, one left", name)
                    .isGreaterThanOrEqualTo(2);
            assertThat(grown.probes("lost", of)).as(name).isZero();
            assertThat(grown.probes("send_failed", of)).as(name).isZero();
            assertThat(after.sum("kafka_canary_out_of_order_total", of))
                    .as(name)
                    .isZero();
        }
        for (int leader = 1; leader <= 3; leader++) {
            assertThat(after.conserved(Scrape.leader(leader)))
                    .as("leader %d", leader)
                    .isTrue();
        }
    }

    private boolean saysThatItIsShared(String group) {
        return canary.problems(group).contains("consumer-group.id");
    }

    private KafkaConsumer<byte[], byte[]> second(String name) {
        Map<String, Object> properties = new HashMap<>(CLUSTER.get().clientProperties());
        properties.put("group.id", "way-back-" + name);
        properties.put("group.protocol", name);
        properties.put("enable.auto.commit", "false");
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of("way-back-" + name));
        return consumer;
    }
}
