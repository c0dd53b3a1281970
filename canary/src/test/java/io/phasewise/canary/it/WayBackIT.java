/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.measure.Scrape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
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
 * members of a group by either protocol. Brokers in trouble are {@link FollowerFetchIT}'s.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WayBackIT {
    @RegisterExtension static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final List<Integer> ALL = List.of(1, 2, 3);
    private static final List<String> GROUPS = List.of("classic", "consumer");
    private static final List<String> SET_UPS = List.of("alone", "classic", "consumer");

    private CanaryProcess canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        canary =
                new CanaryProcess(
                        directory,
                        Map.of(
                                "alone",
                                of("alone", Map.of()),
                                "classic",
                                of("classic", group("classic")),
                                "consumer",
                                of("consumer", group("consumer"))));
    }

    @BeforeEach
    void allIsWell() {
        await("ready, and nothing to say")
                .atMost(BOUND)
                .until(
                        () ->
                                canary.ready()
                                        && SET_UPS.stream()
                                                .allMatch(
                                                        name ->
                                                                canary.cluster(name)
                                                                        .get("problems")
                                                                        .isEmpty()));
        awaitProbes(canary.scrape(), 10);
    }

    private Map<String, Object> of(String topic, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap-servers", CLUSTER.get().bootstrap());
        config.put("topic", Map.of("name", "way-back-" + topic, "replication-factor", 1));
        config.put("loss-horizon", "30s");
        config.put("probe", Map.of("rate", 10));
        return config;
    }

    private static Map<String, Object> group(String protocol) {
        return Map.of(
                "consumer-group",
                Map.of(
                        "enabled",
                        true,
                        "id",
                        "way-back-" + protocol,
                        "protocol",
                        protocol,
                        "commit-interval",
                        "200ms"));
    }

    @AfterAll
    void stop() {
        if (canary != null) {
            canary.close();
        }
    }

    @Test
    void aMemberOfAGroupTimesItsCommitsAndCountsThatItJoined() throws Exception {
        for (String name : GROUPS) {
            await("commits of " + name)
                    .atMost(BOUND)
                    .until(
                            () ->
                                    canary.scrape()
                                                    .sum(
                                                            "kafka_canary_offset_commit_latency_seconds_count",
                                                            PhaseSums.cluster(name))
                                            > 5);
        }
        Scrape scrape = canary.scrape();
        for (String name : GROUPS) {
            double commits =
                    scrape.sum(
                            "kafka_canary_offset_commit_latency_seconds_count",
                            PhaseSums.cluster(name));
            double mean =
                    scrape.sum(
                                    "kafka_canary_offset_commit_latency_seconds_sum",
                                    PhaseSums.cluster(name))
                            / commits;
            assertThat(mean).as(name).isBetween(1e-5, 1.0);
            assertThat(scrape.sum("kafka_canary_rebalances_total", PhaseSums.cluster(name)))
                    .as(name)
                    .isGreaterThanOrEqualTo(1);
        }
        try (Admin admin = Admin.create(CLUSTER.get().clientProperties())) {
            for (String name : GROUPS) {
                assertThat(
                                admin.listConsumerGroupOffsets("way-back-" + name)
                                        .partitionsToOffsetAndMetadata()
                                        .get(30, TimeUnit.SECONDS)
                                        .values())
                        .as("committed by %s", name)
                        .hasSize(3)
                        .allMatch(committed -> committed.offset() > 0);
            }
        }
        assertThat(scrape.text())
                .as("no group, no such series")
                .doesNotContain("kafka_canary_rebalances_total{" + PhaseSums.cluster("alone"));
    }

    @Test
    void aRebalanceIsCountedAndLosesNothing() {
        Scrape before = canary.scrape();
        try (KafkaConsumer<byte[], byte[]> classic = second("classic");
                KafkaConsumer<byte[], byte[]> consumer = second("consumer")) {
            await("second members hold partitions")
                    .atMost(BOUND)
                    .pollInterval(Duration.ofMillis(10))
                    .until(
                            () -> {
                                classic.poll(Duration.ofMillis(50));
                                consumer.poll(Duration.ofMillis(50));
                                return !classic.assignment().isEmpty()
                                        && !consumer.assignment().isEmpty();
                            });
            for (String name : GROUPS) {
                await("said which group is shared")
                        .atMost(BOUND)
                        .until(
                                () -> {
                                    classic.poll(Duration.ofMillis(20));
                                    consumer.poll(Duration.ofMillis(20));
                                    return canary.cluster(name)
                                            .get("problems")
                                            .toString()
                                            .contains("consumer-group.id");
                                });
            }
        }

        await("the canary reads all partitions again")
                .atMost(BOUND)
                .until(
                        () ->
                                canary.ready()
                                        && GROUPS.stream()
                                                .allMatch(
                                                        name ->
                                                                canary.cluster(name)
                                                                        .get("problems")
                                                                        .isEmpty()));
        Scrape back = canary.scrape();
        awaitProbes(back, 20);
        await("nothing is under way any more but the latest")
                .atMost(BOUND)
                .until(() -> canary.scrape().sum("kafka_canary_probes_in_flight") < 20);
        Scrape after = canary.scrape();
        for (String name : GROUPS) {
            assertThat(
                            after.sum("kafka_canary_rebalances_total", PhaseSums.cluster(name))
                                    - before.sum(
                                            "kafka_canary_rebalances_total",
                                            PhaseSums.cluster(name)))
                    .as("%s: one joined, one left", name)
                    .isGreaterThanOrEqualTo(2);
            for (String outcome : List.of("lost", "send_failed")) {
                assertThat(
                                after.sum(
                                        "kafka_canary_probes_total",
                                        PhaseSums.cluster(name),
                                        "outcome=\"" + outcome + "\""))
                        .as("%s %s", name, outcome)
                        .isEqualTo(
                                before.sum(
                                        "kafka_canary_probes_total",
                                        PhaseSums.cluster(name),
                                        "outcome=\"" + outcome + "\""));
            }
            assertThat(after.sum("kafka_canary_out_of_order_total", PhaseSums.cluster(name)))
                    .isZero();
        }
        assertThat(ALL).allMatch(each -> CanaryPages.conserved(after, each));
    }

    private KafkaConsumer<byte[], byte[]> second(String name) {
        Map<String, Object> properties = new HashMap<>(CLUSTER.get().clientProperties());
        properties.put("group.id", "way-back-" + name);
        properties.put("group.protocol", name);
        properties.put("enable.auto.commit", "false");
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of("way-back-" + name));
        return consumer;
    }

    private void awaitProbes(Scrape since, int each) {
        canary.awaitProbes(since, each, SET_UPS.stream().map(PhaseSums::cluster).toList(), 1, 2, 3);
    }
}
