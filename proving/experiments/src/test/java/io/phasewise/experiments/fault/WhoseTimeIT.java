/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.fault.pause.StallingBroker;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The canary says of real brokers whose time its probes' phases were: the parts grow as the phases do, and a follower that
 * is paused gets what its pauses add. Alone, as it measures.
 */
@Isolated
class WhoseTimeIT {
    private static final int BROKERS = 3;
    private static final int LEADER = 1;
    private static final int PAUSED = 2;
    private static final int OTHER = 3;
    private static final int PROBES = 400;
    private static final String LATENCY = "kafka_canary_phase_latency_seconds";
    private static final String WAITS = "kafka_canary_wait_seconds_total";
    private static final String LED = Scrape.label("leader", LEADER);
    private static final String COMMIT = Scrape.label("phase", Phase.COMMIT.label());
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    private CanaryProcess canary;

    @Test
    void aPausedFollowerGetsTheTimeThatItsPausesAdd(@TempDir Path directory) throws Exception {
        try (LabCluster cluster =
                LabCluster.start(ROOT, directory, ClusterSpec.PLAIN, builder -> builder.shortLived())) {
            Map<String, String> exporters = new HashMap<>();
            for (int id = 1; id <= BROKERS; id++) {
                exporters.put(String.valueOf(id), cluster.exporter(id));
            }
            canary = cluster.canary(List.of(Map.of("exporters", Map.of("addresses", exporters))));
            BrokerLogs.withFailure(cluster.kafka(), () -> measure(cluster));
        } finally {
            if (canary != null) {
                canary.close();
            }
        }
    }

    private void measure(LabCluster cluster) throws Exception {
        awaitProbes(PROBES);
        Scrape rest = canary.scrape();
        Scrape before = awaitProbes(PROBES);
        StallingBroker pauses = new StallingBroker(PAUSED, Duration.ofMillis(800), Duration.ofSeconds(2));
        Scrape after;
        try (ActiveFault paused = pauses.begin(FaultTarget.of(cluster.kafka(), canary))) {
            after = awaitProbes(PROBES);
        }
        Map<String, Double> parts = parts(before, after);
        String shown = "quiet " + parts(rest, before) + "; paused " + parts;
        System.out.println(shown);
        for (Phase phase : Phase.values()) {
            String of = Scrape.label("phase", phase.label());
            double seconds = after.grown(before, LATENCY + "_sum", LED, of);
            // A scrape may lie between the two counts of some probes.
            assertThat(after.grown(before, WAITS, LED, of))
                    .as("%s of %s: %s", phase, seconds, shown)
                    .isCloseTo(seconds, within(0.02 * seconds + 0.05));
        }
        double commit = after.grown(before, LATENCY + "_sum", LED, COMMIT);
        double quiet = before.grown(rest, LATENCY + "_sum", LED, COMMIT);
        double added = commit - quiet;
        assertThat(added).as("seconds that pauses add to commit: " + shown).isGreaterThan(10);
        assertThat(of(before, after, PAUSED, "process"))
                .as("of %s s that pauses add: %s", added, shown)
                .isBetween(0.8 * added, 1.15 * added);
        assertThat(after.grown(before, WAITS, LED, COMMIT, Scrape.label("broker", OTHER)))
                .as("of the other follower: " + shown)
                .isLessThan(0.1 * added);
        assertThat(after.grown(before, WAITS, LED, COMMIT, Scrape.label("role", "unknown")))
                .as("unknown: " + shown)
                .isLessThan(0.05 * added);
    }

    private static double of(Scrape before, Scrape after, int broker, String role) {
        return after.grown(before, WAITS, LED, COMMIT, Scrape.label("broker", broker), Scrape.label("role", role));
    }

    private static Map<String, Double> parts(Scrape before, Scrape after) {
        Map<String, Double> parts = new TreeMap<>();
        after.find(WAITS, LED).forEach(series -> {
            double grown = series.getValue() - before.values().getOrDefault(series.getKey(), 0.0);
            if (grown >= 0.05) {
                parts.put(series.getKey().replaceAll(".*?(broker=.*)", "$1"), Math.round(grown * 100) / 100.0);
            }
        });
        return parts;
    }

    /** Waits until so many more probes of the leader were split. */
    private Scrape awaitProbes(int more) throws IOException, InterruptedException {
        String fetch = Scrape.label("phase", Phase.FETCH.label());
        double enough = canary.scrape().sum(LATENCY + "_count", LED, fetch) + more;
        Await.that(more + " probes of leader 1 are split", Duration.ofMinutes(2))
                .until(
                        () -> canary.scrape().sum(LATENCY + "_count", LED, fetch) >= enough,
                        () -> "there are " + canary.scrape().sum(LATENCY + "_count", LED, fetch) + " of " + enough);
        return canary.scrape();
    }
}
