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
 * phases make of it is FollowerPhasesIT's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FollowerFetchIT {
    private static final Duration BOUND = Duration.ofSeconds(120);

    /** The clients are asked for new metrics every ten seconds. */
    private static final Duration SHOWN = Duration.ofSeconds(30);

    private static final String NEAR = PhaseSums.profile("near");
    private static final String PLAIN = PhaseSums.profile("default");
    private static final List<String> BOTH = List.of(NEAR, PLAIN);

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
        await("the broker of the rack is read from, and that is exported")
                .atMost(SHOWN)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.scrape();
                            assertThat(Racks.readReplica(scrape, NEAR, 1)).isEqualTo(2);
                            assertThat(Racks.readReplica(scrape, NEAR, 2))
                                    .as("the leader")
                                    .isNegative();
                            assertThat(Racks.readReplica(scrape, NEAR, 3)).isEqualTo(2);
                            for (int leader = 1; leader <= 3; leader++) {
                                assertThat(Racks.readReplica(scrape, PLAIN, leader)).isNegative();
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
                .until(() -> Racks.readReplica(canary.scrape(), NEAR, 1) < 0);
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
}
