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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A delay that is put into one phase shows up in that phase: one canary measures three real brokers
 * three times over, plainly, with a lingering producer, and with a consumer that lets the broker
 * wait, so that treatment and baseline share every disturbance of the machine.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PhasesIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final List<Integer> ALL = List.of(1, 2, 3);
    private static final String FAMILY = "kafka_canary_phase_latency_seconds";
    private static final String END_TO_END = "kafka_canary_end_to_end_latency_seconds";

    private KafkaCluster cluster;
    private CanaryProcess canary;
    private Scrape warm;
    private Scrape quiet;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster =
                KafkaCluster.builder(ROOT, directory.resolve("kafka"))
                        .brokers(3)
                        .stopGrace(Duration.ZERO)
                        .build();
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
        warm = awaitProbes(canary.scrape(), 400);
        quiet = awaitProbes(warm, 200);
    }

    private Map<String, Object> of(String topic, Map<String, Object> client) {
        Map<String, Object> config = new java.util.HashMap<>(client);
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
                            for (int leader : ALL) {
                                double probes = count(scrape, leader);
                                for (Phase phase : Phase.values()) {
                                    assertThat(
                                                    scrape.sum(
                                                            FAMILY + "_count",
                                                            "cluster=\"plain\"",
                                                            Scrape.leader(leader),
                                                            label(phase)))
                                            .isEqualTo(probes);
                                }
                                assertThat(
                                                scrape.sum(
                                                        FAMILY + "_sum",
                                                        "cluster=\"plain\"",
                                                        Scrape.leader(leader)))
                                        .isCloseTo(
                                                scrape.sum(
                                                        END_TO_END + "_sum",
                                                        "cluster=\"plain\"",
                                                        Scrape.leader(leader)),
                                                within(1e-6));
                            }
                        });
    }

    @Test
    @Order(2)
    void lingeringGoesToProduce() {
        Map<Phase, Double> plain = means("plain", warm, quiet, ALL);
        Map<Phase, Double> linger = means("linger", warm, quiet, ALL);
        print("linger.ms=100", plain, linger);

        double added = linger.get(Phase.PRODUCE) - plain.get(Phase.PRODUCE);
        assertThat(added).as("milliseconds").isBetween(90.0, 110.0);
        assertThat(added(plain, linger) - added).as("other phases").isBetween(-10.0, 10.0);
    }

    @Test
    @Order(3)
    void aBrokerThatHoldsFetchesBackGoesToFetch() {
        Map<Phase, Double> plain = means("plain", warm, quiet, ALL);
        Map<Phase, Double> waits = means("waits", warm, quiet, ALL);
        print("fetch.max.wait.ms=200, fetch.min.bytes large", plain, waits);

        double added = waits.get(Phase.FETCH) - plain.get(Phase.FETCH);
        // A probe comes at any instant of a fetch, and waits for the rest of it; how long fetches
        // take is Kafka's own measure, 200 ms and what a busy machine adds.
        double half =
                quiet.sum("kafka_consumer_fetch_manager_fetch_latency_avg", "cluster=\"waits\"")
                        / 2;
        assertThat(added).as("half of %.1f ms, less 10 %%", 2 * half).isGreaterThan(90);
        assertThat(added).as("half of %.1f ms, and 10 %%", 2 * half).isLessThan(1.1 * half);
        assertThat(added(plain, waits) - added).as("other phases").isBetween(-10.0, 10.0);
    }

    @Test
    @Order(4)
    void theStatusPageSaysTheSame() {
        var broker = canary.cluster("plain").get("brokers").get(0);
        double sum = 0;
        for (Phase phase : Phase.values()) {
            sum += broker.get("meanPhaseSeconds").get(phase.label()).asDouble();
        }
        assertThat(sum).isGreaterThan(0);
        assertThat(broker.get("clockUncertaintySeconds").asDouble()).isBetween(0.0, 0.005);
        assertThat(canary.cluster("plain").get("lanes").asInt()).isBetween(1, 16);
        Scrape scrape = canary.scrape();
        for (int leader : ALL) {
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

    private Scrape awaitProbes(Scrape since, int each) {
        await(each + " probes by way of each broker in each set-up")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> {
                            Scrape now = canary.scrape();
                            return List.of("plain", "linger", "waits").stream()
                                    .allMatch(
                                            name ->
                                                    ALL.stream()
                                                            .allMatch(
                                                                    b ->
                                                                            probes(now, name, b)
                                                                                    >= probes(
                                                                                                    since,
                                                                                                    name,
                                                                                                    b)
                                                                                            + each));
                        });
        return canary.scrape();
    }

    private static double count(Scrape scrape, int leader) {
        return probes(scrape, "plain", leader);
    }

    private static double probes(Scrape scrape, String name, int leader) {
        return scrape.sum(END_TO_END + "_count", "cluster=\"" + name + "\"", Scrape.leader(leader));
    }

    /** Mean of each phase between two scrapes, over the probes of some leaders, milliseconds. */
    private static Map<Phase, Double> means(
            String name, Scrape from, Scrape to, List<Integer> leaders) {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            double sum = 0;
            double count = 0;
            for (int leader : leaders) {
                String[] labels = {"cluster=\"" + name + "\"", Scrape.leader(leader), label(phase)};
                sum += to.sum(FAMILY + "_sum", labels) - from.sum(FAMILY + "_sum", labels);
                count += to.sum(FAMILY + "_count", labels) - from.sum(FAMILY + "_count", labels);
            }
            means.put(phase, sum / count * 1e3);
        }
        return means;
    }

    private static String label(Phase phase) {
        return "phase=\"" + phase.label() + "\"";
    }

    private static double added(Map<Phase, Double> baseline, Map<Phase, Double> treated) {
        return total(treated) - total(baseline);
    }

    private static double total(Map<Phase, Double> means) {
        return means.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static void print(
            String what, Map<Phase, Double> baseline, Map<Phase, Double> treated) {
        System.out.println(what + ": baseline " + line(baseline) + "; treated " + line(treated));
    }

    private static String line(Map<Phase, Double> means) {
        return means.entrySet().stream()
                .map(e -> String.format(Locale.ROOT, "%s %.2f", e.getKey().label(), e.getValue()))
                .collect(Collectors.joining(", ", "", " ms"));
    }
}
