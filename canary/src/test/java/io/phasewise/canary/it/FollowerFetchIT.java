/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.util.List;
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
    private static final int RACK = 2;
    private static final String NEAR = "cluster=near";
    private static final String PLAIN = "cluster=plain";
    private static final List<String> NOT_REPLICATED =
            List.of("cluster=alone", "cluster=classic", "cluster=consumer");

    private KafkaCluster cluster;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster = Racks.three(directory, builder -> builder);
        cluster.start();
        String at = "bootstrap-servers: \"" + cluster.bootstrap() + "\", probe: {rate: 5}";
        String config =
                """
                clusters:
                  plain: {$at, topic: {name: plain, replication-factor: 3}}
                  near: {$at, topic: {name: near, replication-factor: 3}, consumer: {client.rack: rack-2}}
                  alone: {$at, topic: {name: alone, replication-factor: 1}}
                  classic: {$at, topic: {name: classic, replication-factor: 1}, consumer-group: {enabled: true, protocol: classic}}
                  consumer: {$at, topic: {name: consumer, replication-factor: 1}, consumer-group: {enabled: true, protocol: consumer}}
                """;
        canary = RunningCanary.jar(directory, config.replace("$at", at), "-Xmx320m");
    }

    @AfterAll
    void stop() throws Exception {
        if (canary != null) {
            canary.close();
        }
        cluster.close();
    }

    @BeforeEach
    void allIsWell() {
        canary.awaitReady();
        awaitThat(
                "the broker of the rack is read from",
                () -> {
                    Scrape scrape = canary.scrape();
                    assertThat(Racks.readReplica(scrape, NEAR, 1)).isEqualTo(RACK);
                    assertThat(Racks.readReplica(scrape, NEAR, 3)).isEqualTo(RACK);
                });
    }

    @Test
    void whoIsReadFromIsExported() {
        awaitThat(
                "where it leads itself, and without a rack, the leader",
                () -> {
                    Scrape scrape = canary.scrape();
                    assertThat(Racks.readReplica(scrape, NEAR, RACK)).isNegative();
                    for (int leader = 1; leader <= 3; leader++) {
                        assertThat(Racks.readReplica(scrape, PLAIN, leader)).isNegative();
                    }
                });
        assertThat(canary.scrape().sum("kafka_canary_config_info", NEAR, "client_rack=rack-2"))
                .isEqualTo(1);
    }

    @Test
    void withoutTheFollowerTheLeaderIsReadFromAndNothingIsLost() throws Exception {
        Scrape before = canary.scrape();
        cluster.broker(RACK).kill();
        Scrape grown;
        try {
            Scrape now =
                    canary.await(
                            "the leader is read from",
                            scrape -> Racks.readReplica(scrape, NEAR, 1) < 0);
            grown = canary.awaitProbes(now, 10, List.of(NEAR, PLAIN), 1, 3).since(before);
        } finally {
            cluster.broker(RACK).start();
        }

        for (String leader : List.of("leader=1", "leader=3")) {
            assertThat(grown.probes("lost", NEAR, leader)).as(leader).isZero();
            assertThat(grown.probes("send_failed", NEAR, leader)).as(leader).isZero();
        }
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
            PhaseSums plain = PhaseSums.of(before.since(earlier), each, 1, 2);
            PhaseSums stalled = PhaseSums.of(after.since(before), each, 1, 2);
            // Probes that waited for the stopped broker would take seconds.
            assertThat(stalled.total() - plain.total())
                    .as("%s, ms: all brokers %s; broker 3 stopped %s", each, plain, stalled)
                    .isLessThan(500);
        }
    }
}
