/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.canary.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A link is made slower by a known delay, one way or both, on real brokers; the phase that the
 * link's way belongs to grows by it, and no other does. The links take different faults at the same
 * time, for each leader's probes are counted for themselves.
 *
 * <p>Probes are due at even distances, which makes means exact with few of them, and so far apart
 * that every fetch, the consumer's and the followers', is back at its leader before the next probe
 * comes.
 */
@Tag("measures")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DelaysIT {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int BROKERS = 3;
    private static final int[] ALL = {1, 2, 3};

    private static final String PLAIN = "plain";
    private static final String NETWORK = "network";
    private static final String REPLICATION = "replication";

    private static final int LINK_ROUNDS = 3;

    private KafkaCluster cluster;
    private EmbeddedCanary canary;
    private Rounds links;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster = TestClusters.three(directory, KafkaCluster.Builder::behindLinks);
        cluster.start();
        canary =
                new EmbeddedCanary(
                        Map.of(
                                "bootstrap-servers",
                                cluster.bootstrap(),
                                "probe",
                                Map.of("rate", 4, "schedule", "uniform")),
                        System::nanoTime);
        // The JVMs warm up, the lanes open, the clocks' windows fill.
        probes(30);
        links = Rounds.of(LINK_ROUNDS, this::linkRound);
    }

    @AfterAll
    void stop() throws Exception {
        if (canary != null) {
            canary.close();
        }
        cluster.close();
    }

    private Map<String, List<Stretch>> linkRound() {
        List<Stretch> plain = fourStretches();
        List<Stretch> network;
        List<Stretch> replication;
        try {
            cluster.clientLink(1).there().delay(Duration.ofMillis(100));
            cluster.clientLink(2).back().delay(Duration.ofMillis(100));
            cluster.clientLink(3).there().delay(Duration.ofMillis(80));
            cluster.clientLink(3).back().delay(Duration.ofMillis(80));
            // A rise of the path's delay is believed after two seconds.
            probes(12);
            network = fourStretches();
            mend();
            cluster.replicationLink(1).there().delay(Duration.ofMillis(100));
            cluster.replicationLink(2).back().delay(Duration.ofMillis(100));
            probes(3);
            replication = fourStretches();
        } finally {
            mend();
        }
        probes(3);
        return Map.of(PLAIN, plain, NETWORK, network, REPLICATION, replication);
    }

    private void mend() {
        for (int broker : ALL) {
            cluster.clientLink(broker).there().delay(Duration.ZERO);
            cluster.clientLink(broker).back().delay(Duration.ZERO);
            cluster.replicationLink(broker).there().delay(Duration.ZERO);
            cluster.replicationLink(broker).back().delay(Duration.ZERO);
        }
    }

    @Test
    void aSlowPathToTheLeaderGoesToPublish() {
        links.growth("100 ms to the leader", PLAIN, NETWORK, "default", 1)
                .isInjected(Map.of(Phase.PUBLISH, 100.0));
    }

    @Test
    void aSlowPathBackFromTheLeaderGoesToFetch() {
        links.growth("100 ms back from the leader", PLAIN, NETWORK, "default", 2)
                .isInjected(Map.of(Phase.FETCH, 100.0));
    }

    @Test
    void aPathThatIsSlowBothWaysGoesToPublishAndFetchByHalves() {
        links.growth("80 ms each way", PLAIN, NETWORK, "default", 3)
                .isInjected(Map.of(Phase.PUBLISH, 80.0, Phase.FETCH, 80.0));
    }

    @Test
    void aSlowPathOfReplicationGoesToCommit() {
        links.growth("100 ms from followers to the leader", PLAIN, REPLICATION, "default", 1)
                .isInjected(Map.of(Phase.COMMIT, 100.0));
        links.growth("100 ms from the leader to followers", PLAIN, REPLICATION, "default", 2)
                .isInjected(Map.of(Phase.COMMIT, 100.0));
    }

    @Test
    void thePhasesSumToTheEndToEndLatencyOfTheSameProbes() {
        await("one scrape between two probes")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.pages().scrape();
                            for (int leader : ALL) {
                                String[] labels = {
                                    PhaseSums.profile("default"), Scrape.leader(leader)
                                };
                                String endToEnd = "kafka_canary_end_to_end_latency_seconds";
                                for (Phase phase : Phase.path(false)) {
                                    assertThat(
                                                    scrape.sum(
                                                            PhaseSums.FAMILY + "_count",
                                                            labels[0],
                                                            labels[1],
                                                            PhaseSums.label(phase)))
                                            .isEqualTo(scrape.sum(endToEnd + "_count", labels));
                                }
                                assertThat(scrape.sum(PhaseSums.FAMILY + "_sum", labels))
                                        .isCloseTo(
                                                scrape.sum(endToEnd + "_sum", labels),
                                                within(1e-6));
                            }
                        });
    }

    @Test
    void theStatusPageAndTheGaugesSayTheSameOfABrokerAtRest() {
        await("at rest")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.pages().scrape();
                            for (int leader : ALL) {
                                String profile = PhaseSums.profile("default");
                                assertThat(
                                                scrape.sum(
                                                        "kafka_canary_network_one_way_delay_seconds",
                                                        profile,
                                                        broker(leader)))
                                        .isBetween(1e-6, 0.005);
                                assertThat(
                                                Math.abs(
                                                        scrape.sum(
                                                                "kafka_canary_clock_offset_seconds",
                                                                profile,
                                                                broker(leader))))
                                        .as("the same host's clock")
                                        .isLessThan(
                                                scrape.sum(
                                                                "kafka_canary_clock_uncertainty_seconds",
                                                                profile,
                                                                broker(leader))
                                                        + 0.001);
                            }
                            assertThat(scrape.values().get("kafka_canary_hiccup_seconds_count"))
                                    .isGreaterThan(1_000);
                        });
        JsonNode broker = canary.pages().cluster("it").get("brokers").get(0);
        double sum = 0;
        for (Phase phase : Phase.path(false)) {
            sum += broker.get("meanPhaseSeconds").get(phase.label()).asDouble();
        }
        assertThat(sum).isGreaterThan(0);
        assertThat(broker.get("clockUncertaintySeconds").asDouble()).isBetween(0.0, 0.01);
        assertThat(canary.pages().cluster("it").get("lanes").asInt()).isBetween(1, 16);
    }

    private static String broker(int id) {
        return "broker=\"" + id + "\"";
    }

    /** Four times four probes each, a second every time. */
    private List<Stretch> fourStretches() {
        return IntStream.range(0, 4).mapToObj(i -> probes(4)).toList();
    }

    private Stretch probes(int each) {
        return canary.probes("default", each, BROKERS);
    }
}
