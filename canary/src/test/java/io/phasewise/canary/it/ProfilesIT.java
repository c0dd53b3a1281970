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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One canary measures three real brokers by several profiles at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProfilesIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final List<Integer> LEADERS = List.of(1, 2, 3);
    private static final List<String> PROFILES = List.of("default", "app");
    private static final String FAMILY = "kafka_canary_phase_latency_seconds";

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
                                "it",
                                Map.of(
                                        "bootstrap-servers",
                                        cluster.bootstrap(),
                                        "profiles",
                                        Map.of(
                                                "app",
                                                Map.of(
                                                        "producer",
                                                        Map.of(
                                                                "linger.ms",
                                                                "20",
                                                                "batch.size",
                                                                "65536",
                                                                "compression.type",
                                                                "lz4",
                                                                "acks",
                                                                "1"))))));
        await("ready").atMost(BOUND).until(canary::ready);
        warm = awaitProbes(canary.scrape(), 100);
        quiet = awaitProbes(warm, 150);
    }

    @AfterAll
    void stop() {
        if (canary != null) {
            canary.close();
        }
        cluster.close();
    }

    @Test
    void everyProfileDeliversOnATopicOfItsOwn() {
        assertThat(canary.status().get("clusters"))
                .extracting(
                        entry ->
                                entry.get("name").asText()
                                        + " "
                                        + entry.get("profile").asText()
                                        + " "
                                        + entry.get("topic").get("name").asText())
                .containsExactly("it default phasewise-canary", "it app phasewise-canary-app");
    }

    @Test
    void everyProfileConservesItsProbes() {
        Scrape scrape = canary.scrape();
        for (String profile : PROFILES) {
            for (int leader : LEADERS) {
                String[] labels = {of(profile), Scrape.leader(leader)};
                assertThat(scrape.sum("kafka_canary_probes_scheduled_total", labels))
                        .as("%s, leader %d", profile, leader)
                        .isPositive()
                        .isEqualTo(
                                scrape.sum("kafka_canary_probes_total", labels)
                                        + scrape.sum("kafka_canary_probes_in_flight", labels));
            }
        }
    }

    @Test
    void anApplicationsLingerShowsInItsProfileOnly() {
        double added =
                means("app", warm, quiet, LEADERS).get(Phase.PRODUCE)
                        - means("default", warm, quiet, LEADERS).get(Phase.PRODUCE);
        System.out.printf(Locale.ROOT, "linger.ms=20 adds %.2f ms to produce%n", added);

        assertThat(added).as("milliseconds").isBetween(14.0, 30.0);
    }

    private Scrape awaitProbes(Scrape since, int each) {
        await(each + " probes by way of each broker in each profile")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> {
                            Scrape now = canary.scrape();
                            return PROFILES.stream()
                                    .allMatch(
                                            profile ->
                                                    LEADERS.stream()
                                                            .allMatch(
                                                                    leader ->
                                                                            probes(
                                                                                            now,
                                                                                            profile,
                                                                                            leader)
                                                                                    >= probes(
                                                                                                    since,
                                                                                                    profile,
                                                                                                    leader)
                                                                                            + each));
                        });
        return canary.scrape();
    }

    private static double probes(Scrape scrape, String profile, int leader) {
        return scrape.sum(
                "kafka_canary_end_to_end_latency_seconds_count",
                of(profile),
                Scrape.leader(leader));
    }

    /** Mean of each phase between two scrapes, over the probes of some leaders, milliseconds. */
    private static Map<Phase, Double> means(
            String profile, Scrape from, Scrape to, List<Integer> leaders) {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            double sum = 0;
            double count = 0;
            for (int leader : leaders) {
                String[] labels = {
                    of(profile), Scrape.leader(leader), "phase=\"" + phase.label() + "\""
                };
                sum += to.sum(FAMILY + "_sum", labels) - from.sum(FAMILY + "_sum", labels);
                count += to.sum(FAMILY + "_count", labels) - from.sum(FAMILY + "_count", labels);
            }
            means.put(phase, sum / count * 1e3);
        }
        return means;
    }

    private static String of(String profile) {
        return "profile=\"" + profile + "\"";
    }
}
