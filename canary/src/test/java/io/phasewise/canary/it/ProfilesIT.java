/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
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
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int[] LEADERS = {1, 2, 3};
    private static final List<String> PROFILES = List.of("default", "app");
    private static final String SWAMPED = "swamped";

    private KafkaCluster cluster;
    private CanaryProcess canary;
    private Scrape warm;
    private Scrape quiet;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster = TestClusters.three(directory);
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
                                                                "1")),
                                                "swamped",
                                                Map.of(
                                                        "probe",
                                                        Map.of("rate", 150, "max-in-flight", 100),
                                                        "consumer",
                                                        Map.of(
                                                                "fetch.min.bytes",
                                                                "1048576",
                                                                "fetch.max.wait.ms",
                                                                "1000"))))));
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
                .containsExactlyInAnyOrder(
                        "it default phasewise-canary",
                        "it app phasewise-canary-app",
                        "it swamped phasewise-canary-swamped");
    }

    @Test
    void everyProfileConservesItsProbes() {
        Scrape scrape = canary.scrape();
        for (String profile : List.of("default", "app", SWAMPED)) {
            for (int leader : LEADERS) {
                String[] labels = {PhaseSums.profile(profile), Scrape.leader(leader)};
                assertThat(scrape.sum("kafka_canary_probes_scheduled_total", labels))
                        .as("%s, leader %d", profile, leader)
                        .isPositive()
                        .isEqualTo(
                                scrape.sum("kafka_canary_probes_total", labels)
                                        + scrape.sum("kafka_canary_probes_in_flight", labels));
            }
        }
    }

    /** 450 probes a second that stay in flight for half a second would be 225. */
    @Test
    void noMoreProbesAreInFlightThanAllowedAndTheOthersFailAtOnce() {
        String swamped = PhaseSums.profile(SWAMPED);

        assertThat(quiet.sum("kafka_canary_probes_in_flight", swamped)).isBetween(1.0, 100.0);
        double failed = quiet.sum("kafka_canary_probes_total", swamped, "outcome=\"send_failed\"");
        assertThat(failed).isPositive();
        // More fail between the reading of one counter and of the other.
        assertThat(
                        quiet.sum(
                                "kafka_canary_errors_total",
                                swamped,
                                "error=\"TooManyInFlightException\""))
                .isCloseTo(failed, withinPercentage(10));
        assertThat(quiet.sum("kafka_canary_probes_total", swamped, "outcome=\"delivered\""))
                .isPositive();
    }

    @Test
    void anApplicationsLingerShowsInItsProfileOnly() {
        double added = produce("app") - produce("default");
        System.out.printf(Locale.ROOT, "linger.ms=20 adds %.2f ms to produce%n", added);

        assertThat(added).as("milliseconds").isBetween(14.0, 30.0);
    }

    private Scrape awaitProbes(Scrape since, int each) {
        return canary.awaitProbes(
                since, each, PROFILES.stream().map(PhaseSums::profile).toList(), LEADERS);
    }

    /** The mean of produce while nothing is done but measuring, milliseconds. */
    private double produce(String profile) {
        return PhaseSums.between(warm, quiet, PhaseSums.profile(profile), LEADERS)
                .means()
                .get(Phase.PRODUCE);
    }
}
