/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Links are made slower by a known delay, one way or both, on real brokers; the phases that the
 * links' ways belong to grow by it, and no other does. The links take different faults at the same
 * time, for each leader's probes are counted for themselves; where a leader has two, they are of
 * different length. The delays are so long that a machine which is busy with other tests cannot be
 * taken for them.
 *
 * <p>Probes are due at even distances, which makes means exact with few of them, and so far apart
 * that every fetch, the consumer's and the followers', is back at its leader before the next probe
 * comes, and waits there until it does.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DelaysIT {
    private static final int[] ALL = {1, 2, 3};
    private static final String DEFAULT = "default";
    private static final String PLAIN = "plain";
    private static final String SLOW = "slow";

    /** A rise of a path's delay is believed after two seconds. */
    private static final int BELIEVED_SECONDS = 4;

    /** How long a fetch waits at the leader: longer than the distance of two probes. */
    private static final String FETCH_WAIT_MS = "2000";

    /** One is shorter than the other, so that what is taken for the other is seen. */
    private static final double SHORTER = 0.8;

    /** One way; probes are a bit more than twice as far apart. */
    private static final double DELAY_MS = 400;

    private static final int RATE = (int) (1_000 / (2 * DELAY_MS));

    /** Of a second each, with and without the delays. */
    private static final int STRETCHES = 5;

    private static final Rigor RIGOR = Rigor.coarse(1);

    private KafkaCluster cluster;
    private RunningCanary canary;
    private Rounds links;

    @BeforeAll
    void measure(@TempDir Path directory) throws Exception {
        String wait = "replica.fetch.wait.max.ms=" + FETCH_WAIT_MS;
        cluster = TestClusters.own(directory, 3, wait, ClusterBuilder::behindLinks);
        cluster.start();
        String config =
                """
                clusters:
                  it:
                    bootstrap-servers: %s
                    consumer: {fetch.max.wait.ms: %s}
                    probe: {rate: %d, schedule: uniform}
                """
                        .formatted(cluster.bootstrap(), FETCH_WAIT_MS, RATE);
        canary = RunningCanary.embedded(config, System::nanoTime);
        canary.awaitReady();
        links =
                Rounds.of(
                        RIGOR, new Referee(cluster, true, SHORTER * DELAY_MS, RIGOR), this::round);
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, cluster);
    }

    private Map<String, List<Stretch>> round() {
        // The JVMs warm up, the clocks' windows fill; later on, what was slow before is forgotten.
        seconds(BELIEVED_SECONDS);
        List<Stretch> plain = stretches();
        try {
            delay(DELAY_MS);
            seconds(BELIEVED_SECONDS);
            return Map.of(PLAIN, plain, SLOW, stretches());
        } finally {
            delay(0);
        }
    }

    private void delay(double millis) {
        Duration longer = Duration.ofNanos((long) (millis * 1e6));
        Duration shorter = Duration.ofNanos((long) (SHORTER * millis * 1e6));
        cluster.clientLink(1).there().delay(longer);
        cluster.replicationLink(1).there().delay(shorter);
        cluster.clientLink(2).back().delay(longer);
        cluster.replicationLink(2).back().delay(shorter);
        cluster.clientLink(3).there().delay(shorter);
        cluster.clientLink(3).back().delay(shorter);
    }

    /** Of a second each. */
    private List<Stretch> stretches() {
        return IntStream.range(0, STRETCHES).mapToObj(i -> seconds(1)).toList();
    }

    private Stretch seconds(int seconds) {
        return canary.probes(seconds * RATE, ALL);
    }

    @Test
    void aSlowPathToTheLeaderGoesToPublishAndOneFromItsFollowersToCommit() {
        added("to the leader, and from its followers", 1)
                .isInjected(Map.of(Phase.PUBLISH, DELAY_MS, Phase.COMMIT, SHORTER * DELAY_MS), 0);
    }

    @Test
    void aSlowPathBackFromTheLeaderGoesToFetchAndOneToItsFollowersToCommit() {
        added("back from the leader, and to its followers", 2)
                .isInjected(Map.of(Phase.FETCH, DELAY_MS, Phase.COMMIT, SHORTER * DELAY_MS), 0);
    }

    @Test
    void aPathThatIsSlowBothWaysGoesToPublishAndFetchByHalves() {
        added("each way", 3)
                .isInjected(
                        Map.of(Phase.PUBLISH, SHORTER * DELAY_MS, Phase.FETCH, SHORTER * DELAY_MS),
                        0);
    }

    private Growth added(String what, int leader) {
        return links.growth(what, PLAIN, SLOW, DEFAULT, leader);
    }

    @Test
    void thePhasesSumToTheEndToEndLatencyOfTheSameProbes() {
        PhaseSums.awaitSumToEndToEnd(canary, Stretch.profile(DEFAULT), ALL);
    }
}
