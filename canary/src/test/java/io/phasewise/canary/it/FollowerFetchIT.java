/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real brokers, each in a rack of its own, and a profile whose consumer says the second one's
 * rack: it fetches there whoever leads, and from the leader once that broker is gone. What the
 * phases make of it is PhaseEstimatorTest's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FollowerFetchIT {
    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final String NEAR = PhaseSums.profile("near");
    private static final String PLAIN = PhaseSums.profile("default");
    private static final List<String> BOTH = List.of(NEAR, PLAIN);

    private KafkaCluster cluster;
    private CanaryProcess canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster =
                TestClusters.three(
                        directory,
                        builder ->
                                builder.brokerProperty(
                                                "replica.selector.class",
                                                "org.apache.kafka.common.replica.RackAwareReplicaSelector")
                                        .brokerProperty("config.providers", "env")
                                        .brokerProperty(
                                                "config.providers.env.class",
                                                "org.apache.kafka.common.config.provider.EnvVarConfigProvider")
                                        .brokerProperty("broker.rack", "${env:RACK}")
                                        // Otherwise a killed broker counts as alive for nine
                                        // seconds.
                                        .brokerProperty("broker.session.timeout.ms", "3000")
                                        .brokerProperty("broker.heartbeat.interval.ms", "500")
                                        .environment(id -> Map.of("RACK", "rack-" + id)));
        cluster.start();
        canary =
                new CanaryProcess(
                        directory,
                        Map.of(
                                "racks",
                                Map.of(
                                        "bootstrap-servers",
                                        cluster.bootstrap(),
                                        "profiles",
                                        Map.of(
                                                "near",
                                                Map.of(
                                                        "consumer",
                                                        Map.of("client.rack", "rack-2"))))),
                        List.of("-Xmx192m"));
        await("ready")
                .atMost(BOUND)
                .untilAsserted(() -> assertThat(canary.ready()).as(canary.readiness()).isTrue());
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
    void whoIsReadFromIsExported() {
        await("the broker of the rack is read from")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.scrape();
                            assertThat(readReplica(scrape, NEAR, 1)).isEqualTo(2);
                            assertThat(readReplica(scrape, NEAR, 2)).as("the leader").isNegative();
                            assertThat(readReplica(scrape, NEAR, 3)).isEqualTo(2);
                            for (int leader = 1; leader <= 3; leader++) {
                                assertThat(readReplica(scrape, PLAIN, leader)).isNegative();
                            }
                        });
        assertThat(canary.scrape().sum("kafka_canary_config_info", NEAR, "client_rack=\"rack-2\""))
                .isEqualTo(1);
    }

    @Test
    @Order(2)
    void withoutTheFollowerTheLeaderIsReadFromAndNothingIsLost() throws Exception {
        cluster.broker(2).kill();
        await("the leader is read from")
                .atMost(BOUND)
                .until(() -> readReplica(canary.scrape(), NEAR, 1) < 0);
        Scrape now = canary.scrape();
        canary.awaitProbes(now, 30, BOTH, 1, 3);

        for (int leader : new int[] {1, 3}) {
            for (String outcome : List.of("lost", "send_failed")) {
                assertThat(
                                canary.scrape()
                                        .sum(
                                                "kafka_canary_probes_total",
                                                NEAR,
                                                Scrape.leader(leader),
                                                "outcome=\"" + outcome + "\""))
                        .as("%s by way of leader %d", outcome, leader)
                        .isZero();
            }
        }
    }

    /** The broker that the partition of a leader is read from, as the Kafka client exports it. */
    private static double readReplica(Scrape scrape, String of, int leader) {
        String partition =
                scrape.values().keySet().stream()
                        .filter(key -> key.startsWith("kafka_canary_partition_leader_info{"))
                        .filter(key -> key.contains(of) && key.contains(Scrape.leader(leader)))
                        .map(key -> key.replaceAll(".*(partition=\"\\d+\").*", "$1"))
                        .findFirst()
                        .orElseThrow();
        return scrape.values().entrySet().stream()
                .filter(
                        e ->
                                e.getKey()
                                        .startsWith(
                                                "kafka_consumer_fetch_manager_preferred_read_replica{"))
                .filter(e -> e.getKey().contains(of) && e.getKey().contains(partition))
                .mapToDouble(Map.Entry::getValue)
                .findFirst()
                .orElse(Double.NaN);
    }
}
