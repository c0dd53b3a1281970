/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whom consumers read from, and whom they wait for, when a broker is in trouble. One that says the
 * second broker's rack fetches there whoever leads, and from the leader once that broker is gone;
 * what the phases make of it is FollowerPhasesIT's. On topics without replication a broker's pause
 * concerns its own partition only, whether a consumer is alone or a member of a group.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FollowerFetchIT {
    private static final Duration BOUND = Duration.ofSeconds(120);

    /** The clients are asked for new metrics every ten seconds. */
    private static final Duration SHOWN = Duration.ofSeconds(30);

    private static final int RACK = 2;
    private static final String NEAR = PhaseSums.cluster("near");
    private static final String PLAIN = PhaseSums.cluster("plain");
    private static final List<String> REPLICATED = List.of(NEAR, PLAIN);
    private static final List<String> NOT_REPLICATED =
            List.of(
                    PhaseSums.cluster("alone"),
                    PhaseSums.cluster("classic"),
                    PhaseSums.cluster("consumer"));

    private KafkaCluster cluster;
    private CanaryProcess canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster = Racks.three(directory, builder -> builder);
        cluster.start();
        canary =
                new CanaryProcess(
                        directory,
                        Map.of(
                                "plain",
                                of("plain", 3, Map.of()),
                                "near",
                                of(
                                        "near",
                                        3,
                                        Map.of("consumer", Map.of("client.rack", "rack-" + RACK))),
                                "alone",
                                of("alone", 1, Map.of()),
                                "classic",
                                of("classic", 1, group("classic")),
                                "consumer",
                                of("consumer", 1, group("consumer"))),
                        List.of("-Xmx320m"));
    }

    private Map<String, Object> of(String topic, int replicas, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap-servers", cluster.bootstrap());
        config.put("topic", Map.of("name", topic, "replication-factor", replicas));
        config.put("probe", Map.of("rate", 5));
        return config;
    }

    private static Map<String, Object> group(String protocol) {
        return Map.of("consumer-group", Map.of("enabled", true, "protocol", protocol));
    }

    @AfterAll
    void stop() {
        if (canary != null) {
            canary.close();
        }
        cluster.close();
    }

    @BeforeEach
    void allIsWell() {
        await("ready")
                .atMost(BOUND)
                .untilAsserted(() -> assertThat(canary.ready()).as(canary.readiness()).isTrue());
        await("the broker of the rack is read from")
                .atMost(SHOWN)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.scrape();
                            assertThat(Racks.readReplica(scrape, NEAR, 1)).isEqualTo(RACK);
                            assertThat(Racks.readReplica(scrape, NEAR, 3)).isEqualTo(RACK);
                        });
    }

    @Test
    void whoIsReadFromIsExported() {
        await("where it leads itself, and without a rack, the leader")
                .atMost(SHOWN)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.scrape();
                            assertThat(Racks.readReplica(scrape, NEAR, RACK)).isNegative();
                            for (int leader = 1; leader <= 3; leader++) {
                                assertThat(Racks.readReplica(scrape, PLAIN, leader)).isNegative();
                            }
                        });
        assertThat(canary.scrape().sum("kafka_canary_config_info", NEAR, "client_rack=\"rack-2\""))
                .isEqualTo(1);
    }

    @Test
    void withoutTheFollowerTheLeaderIsReadFromAndNothingIsLost() throws Exception {
        Scrape before = canary.scrape();
        cluster.broker(RACK).kill();
        Scrape after;
        try {
            await("the leader is read from")
                    .atMost(BOUND)
                    .until(() -> Racks.readReplica(canary.scrape(), NEAR, 1) < 0);
            after = canary.awaitProbes(canary.scrape(), 10, REPLICATED, 1, 3);
        } finally {
            cluster.broker(RACK).start();
        }

        for (int leader : new int[] {1, 3}) {
            for (String outcome : List.of("outcome=\"lost\"", "outcome=\"send_failed\"")) {
                assertThat(ended(after, leader, outcome) - ended(before, leader, outcome))
                        .as("%s through leader %d", outcome, leader)
                        .isZero();
            }
        }
    }

    private static double ended(Scrape scrape, int leader, String outcome) {
        return scrape.sum("kafka_canary_probes_total", NEAR, CanaryPages.leader(leader), outcome);
    }

    @Test
    void aStoppedBrokerDelaysNoProbeThatOthersLead() throws Exception {
        Scrape earlier = canary.scrape();
        Scrape before = canary.awaitProbes(earlier, 15, NOT_REPLICATED, 1, 2);
        Scrape after;
        cluster.broker(3).pause();
        try {
            after = canary.awaitProbes(before, 15, NOT_REPLICATED, 1, 2);
        } finally {
            cluster.broker(3).resume();
        }

        for (String each : NOT_REPLICATED) {
            PhaseSums plain = PhaseSums.between(earlier, before, each, 1, 2);
            PhaseSums stalled = PhaseSums.between(before, after, each, 1, 2);
            // Probes that waited for the stopped broker would take seconds.
            assertThat(PhaseSums.total(stalled.means()) - PhaseSums.total(plain.means()))
                    .as(
                            "%s, milliseconds: all brokers %s; broker 3 stopped %s",
                            each, plain, stalled)
                    .isLessThan(500);
        }
    }
}
