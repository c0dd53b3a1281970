/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A delay that is put into one phase shows up in that phase: one canary measures three real brokers
 * three times over, plainly, with a lingering producer, and with a consumer that lets the broker
 * wait, so that treatment and baseline share every disturbance of the machine.
 */
@Tag("measures")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PhasesIT {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int[] LEADERS = {1, 2, 3};
    private static final List<String> SET_UPS =
            Stream.of("plain", "linger", "waits").map(PhaseSums::cluster).toList();
    private static final String END_TO_END = "kafka_canary_end_to_end_latency_seconds";

    private static final int STRETCHES = 15;

    private KafkaCluster cluster;
    private CanaryProcess canary;
    private final List<Scrape> calm = new ArrayList<>();

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster = TestClusters.three(directory);
        cluster.start();
        canary =
                new CanaryProcess(
                        directory,
                        Map.of(
                                "plain",
                                of("plain", Map.of()),
                                "linger",
                                of("linger", Map.of("producer", Map.of("linger.ms", "100"))),
                                "waits",
                                of(
                                        "waits",
                                        Map.of(
                                                "consumer",
                                                Map.of(
                                                        "fetch.min.bytes",
                                                        "10000000",
                                                        "fetch.max.wait.ms",
                                                        "200")))));
        await("ready").atMost(BOUND).until(canary::ready);
        // The JVMs warm up, the lanes open, the clocks' windows fill.
        Scrape last = canary.awaitProbes(canary.scrape(), 400, SET_UPS, LEADERS);
        calm.add(last);
        for (int i = 0; i < STRETCHES; i++) {
            // A second and a bit; how many probes come in it is left to chance.
            last = canary.awaitProbes(last, 10, SET_UPS.subList(0, 1), LEADERS);
            calm.add(last);
        }
    }

    private Map<String, Object> of(String topic, Map<String, Object> client) {
        Map<String, Object> config = new HashMap<>(client);
        config.put("bootstrap-servers", cluster.bootstrap());
        config.put("topic", Map.of("name", topic));
        config.put("loss-horizon", "20s");
        return config;
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
    void thePhasesSumToTheEndToEndLatencyOfTheSameProbes() {
        await("one scrape between two probes")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.scrape();
                            for (int leader : LEADERS) {
                                double probes =
                                        scrape.sum(
                                                END_TO_END + "_count",
                                                PhaseSums.cluster("plain"),
                                                Scrape.leader(leader));
                                for (Phase phase : Phase.path(false)) {
                                    assertThat(
                                                    scrape.sum(
                                                            PhaseSums.FAMILY + "_count",
                                                            PhaseSums.cluster("plain"),
                                                            Scrape.leader(leader),
                                                            PhaseSums.label(phase)))
                                            .isEqualTo(probes);
                                }
                                assertThat(
                                                scrape.sum(
                                                        PhaseSums.FAMILY + "_sum",
                                                        PhaseSums.cluster("plain"),
                                                        Scrape.leader(leader)))
                                        .isCloseTo(
                                                scrape.sum(
                                                        END_TO_END + "_sum",
                                                        PhaseSums.cluster("plain"),
                                                        Scrape.leader(leader)),
                                                within(1e-6));
                            }
                        });
    }

    @Test
    @Order(2)
    void lingeringGoesToProduce() {
        growth("linger.ms=100", "linger").isInjected(Map.of(Phase.PRODUCE, 100.0));
    }

    @Test
    @Order(3)
    void aBrokerThatHoldsFetchesBackGoesToFetch() {
        // A probe comes at any instant of a fetch, and waits for the rest of it; how long fetches
        // take is Kafka's own measure, 200 ms and what a busy machine adds.
        double half =
                calm.get(STRETCHES)
                                .sum(
                                        "kafka_consumer_fetch_manager_fetch_latency_avg",
                                        PhaseSums.cluster("waits"))
                        / 2;
        Map<Phase, Double> least = Map.of(Phase.FETCH, 100.0);
        growth("fetch.max.wait.ms=200, fetch.min.bytes large", "waits")
                .isInjected(Collections.nCopies(STRETCHES, least), Math.max(0, half - 100));
    }

    @Test
    @Order(4)
    void theStatusPageSaysTheSame() {
        var broker = canary.cluster("plain").get("brokers").get(0);
        double sum = 0;
        for (Phase phase : Phase.path(false)) {
            sum += broker.get("meanPhaseSeconds").get(phase.label()).asDouble();
        }
        assertThat(sum).isGreaterThan(0);
        assertThat(broker.get("clockUncertaintySeconds").asDouble()).isBetween(0.0, 0.005);
        assertThat(canary.cluster("plain").get("lanes").asInt()).isBetween(1, 16);
        Scrape scrape = canary.scrape();
        for (int leader : LEADERS) {
            String one = "broker=\"" + leader + "\"";
            assertThat(scrape.sum("kafka_canary_network_one_way_delay_seconds", "plain", one))
                    .isBetween(1e-6, 0.005);
            assertThat(Math.abs(scrape.sum("kafka_canary_clock_offset_seconds", "plain", one)))
                    .as("the same host's clock")
                    .isLessThan(
                            scrape.sum("kafka_canary_clock_uncertainty_seconds", "plain", one)
                                    + 0.001);
            assertThat(scrape.sum("kafka_canary_clock_steps_total", one)).isZero();
        }
        assertThat(scrape.values().get("kafka_canary_hiccup_seconds_count")).isGreaterThan(1_000);
    }

    /** What a set-up adds to the plain one while nothing is done but measuring. */
    private Growth growth(String what, String setUp) {
        return new Growth(
                what,
                IntStream.range(0, STRETCHES)
                        .mapToObj(i -> sums(setUp, i).minus(sums("plain", i)))
                        .toList());
    }

    private PhaseSums sums(String setUp, int stretch) {
        return PhaseSums.between(
                calm.get(stretch), calm.get(stretch + 1), PhaseSums.cluster(setUp), LEADERS);
    }
}
