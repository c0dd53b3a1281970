/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Of profiles whose probes wait behind each other while a follower is paused on real brokers, the
 * wait goes to the phase that the request in front is in, or by position to produce. How much it
 * is, and other faults, the lab's FaultPhasesIT asks at default settings, by arithmetic.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StallsAtLengthIT {
    private static final int PAUSES = 8;
    private static final int FOLLOWER = 3;
    private static final int[] LEADERS = {1, 2};
    private static final List<String> PROFILES = List.of("profile=few-lanes", "profile=pipelined", "profile=window");

    private static final String CONFIG = """
            clusters:
              it:
                bootstrap-servers: %s
                loss-horizon: 20s
                probe: {rate: 10, schedule: uniform, lanes: 24}
                profiles:
                  few-lanes: {probe: {lanes: 8}}
                  pipelined: {probe: {pipelined: true}}
                  window:
                    probe: {pipelined: true, attribution: position}
                    producer: {max.in.flight.requests.per.connection: 1}
            """;

    /** What is due through three leaders in 1.5 s: a pause below what puts it out of sync. */
    private static final int PROBES_OF_A_PAUSE = 45;

    private KafkaCluster cluster;
    private RunningCanary canary;
    private final List<Scrape> usual = new ArrayList<>();
    private final List<Scrape> stalled = new ArrayList<>();

    @BeforeAll
    void measure(@TempDir Path directory) throws Exception {
        cluster = TestClusters.own(directory, 3, "", more -> more);
        cluster.start();
        canary = RunningCanary.embedded(CONFIG.formatted(cluster.bootstrap()));
        canary.awaitReady();
        // The JVMs warm up, the lanes open, the clocks' windows fill.
        Scrape now = canary.awaitProbes(canary.scrape(), 200, PROFILES, LEADERS);
        for (int i = 0; i < PAUSES; i++) {
            Scrape begin = canary.awaitProbes(now, 20, PROFILES, LEADERS);
            usual.add(begin.since(now));
            now = afterAPause();
            stalled.add(now.since(begin));
        }
    }

    private Scrape afterAPause() throws Exception {
        cluster.broker(FOLLOWER).pause();
        try {
            canary.awaitClosely(
                    "probes of a second and a half wait", now -> now.inFlight(PROFILES.get(0)) >= PROBES_OF_A_PAUSE);
        } finally {
            cluster.broker(FOLLOWER).resume();
        }
        return canary.awaitProbes(canary.scrape(), 20, PROFILES, LEADERS);
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, cluster);
    }

    /** One request at a time: of fifteen probes the first waits for the follower itself. */
    @ParameterizedTest
    @CsvSource({"few-lanes, COMMIT, 0.9", "pipelined, COMMIT, 0.9", "window, PRODUCE, 0.7"})
    void aPausedFollowersTimeGoesTo(String profile, Phase phase, double share) {
        PhaseMeans plain = median(usual, profile);
        PhaseMeans added = median(stalled, profile).minus(plain);
        assertThat(added.total()).as("ms added to %s: %s", plain, added).isGreaterThan(100);
        assertThat(added.get(phase))
                .as("ms added to %s: %s", plain, added)
                .isBetween(share * added.total(), (2 - share) * added.total());
    }

    private static PhaseMeans median(List<Scrape> stretches, String profile) {
        return PhaseMeans.median(stretches.stream()
                .map(grown -> PhaseMeans.of(grown, "profile=" + profile, LEADERS))
                .toList());
    }

    @Test
    void everyProbeIsAccountedForAndNoClockSteppedInAllOfThat() {
        RunningCanary.awaitThat("all counted", () -> {
            Scrape scrape = canary.scrape();
            assertThat(scrape.conserved()).isTrue();
            assertThat(scrape.sum("kafka_canary_clock_steps_total")).isZero();
        });
    }
}
