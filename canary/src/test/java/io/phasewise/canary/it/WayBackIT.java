/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The way back on three real brokers without replication, so that a broker's stall concerns its own
 * partition only: by a consumer that assigns itself its partitions, and by members of a group by
 * either protocol.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WayBackIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final List<Integer> ALL = List.of(1, 2, 3);
    private static final List<String> GROUPS = List.of("classic", "consumer");
    private static final List<String> SET_UPS = List.of("alone", "classic", "consumer");

    private KafkaCluster cluster;
    private CanaryProcess canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster = TestClusters.three(directory);
        cluster.start();
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
        await("ready").atMost(BOUND).until(canary::ready);
        awaitProbes(canary.scrape(), 60, 1, 2, 3);
    }

    private Map<String, Object> of(String topic, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap-servers", cluster.bootstrap());
        config.put("topic", Map.of("name", topic, "replication-factor", 1));
        config.put("loss-horizon", "30s");
        return config;
    }

    private static Map<String, Object> group(String protocol) {
        return Map.of(
                "consumer-group",
                Map.of(
                        "enabled",
                        true,
                        "id",
                        "phasewise-canary-" + protocol,
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
        cluster.close();
    }

    @Test
    @Order(1)
    void aMemberOfAGroupTimesItsCommitsAndCountsThatItJoined() throws Exception {
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
            System.out.printf(
                    Locale.ROOT,
                    "group protocol %s: %.0f commits, mean %.2f ms; %.0f rebalances, %.0f ms%n",
                    name,
                    commits,
                    mean * 1e3,
                    scrape.sum("kafka_canary_rebalances_total", PhaseSums.cluster(name)),
                    scrape.sum(
                                    "kafka_canary_rebalance_latency_seconds_sum",
                                    PhaseSums.cluster(name))
                            * 1e3);
            assertThat(commits).as(name).isGreaterThan(5);
            assertThat(mean).as(name).isBetween(1e-5, 1.0);
            assertThat(scrape.sum("kafka_canary_rebalances_total", PhaseSums.cluster(name)))
                    .as(name)
                    .isGreaterThanOrEqualTo(1);
        }
        try (Admin admin = Admin.create(cluster.clientProperties())) {
            for (String name : GROUPS) {
                assertThat(
                                admin.listConsumerGroupOffsets("phasewise-canary-" + name)
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
    @Order(2)
    void aStoppedBrokerDelaysNoProbeThatOthersLead() throws Exception {
        Scrape earlier = canary.scrape();
        Scrape before = awaitProbes(earlier, 60, 1, 2);
        Scrape after;
        cluster.broker(3).pause();
        try {
            after = awaitProbes(before, 90, 1, 2);
        } finally {
            cluster.broker(3).resume();
        }

        for (String name : SET_UPS) {
            Map<Phase, Double> plain = means(name, earlier, before);
            Map<Phase, Double> stalled = means(name, before, after);
            System.out.println(
                    name
                            + ": all brokers "
                            + PhaseSums.line(plain)
                            + "; broker 3 stopped "
                            + PhaseSums.line(stalled));
            // Probes that waited for the stopped broker would take seconds.
            assertThat(PhaseSums.total(stalled) - PhaseSums.total(plain))
                    .as("%s, milliseconds", name)
                    .isLessThan(500);
        }
    }

    @Test
    @Order(3)
    void aRebalanceIsCountedAndLosesNothing() {
        await("all brokers are measured again").atMost(BOUND).until(canary::ready);
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
        awaitProbes(back, 20, 1, 2, 3);
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
        assertThat(ALL).allMatch(after::conserved);
    }

    private KafkaConsumer<byte[], byte[]> second(String name) {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("group.id", "phasewise-canary-" + name);
        properties.put("group.protocol", name);
        properties.put("enable.auto.commit", "false");
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of(name));
        return consumer;
    }

    private Scrape awaitProbes(Scrape since, int each, int... leaders) {
        return canary.awaitProbes(
                since, each, SET_UPS.stream().map(PhaseSums::cluster).toList(), leaders);
    }

    /** Mean of each phase over the probes by way of brokers 1 and 2, milliseconds. */
    private static Map<Phase, Double> means(String name, Scrape from, Scrape to) {
        return PhaseSums.between(from, to, PhaseSums.cluster(name), 1, 2).means();
    }
}
