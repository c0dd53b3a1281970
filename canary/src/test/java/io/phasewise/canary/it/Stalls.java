/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leader, followers and consumer are paused now and then, one at a time and overlapping, on real
 * brokers, and the time that this costs goes to the phase in which it does. How often it is
 * measured, and with which profiles beside the default, is the subclasses'.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Stalls {
    static final int PROBES_PER_SECOND = 10;
    static final String PLAIN = "plain";
    static final String FOLLOWER_STOPPED = "follower stopped";

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int BROKERS = 3;
    private static final int[] ALL = {1, 2, 3};
    private static final String DEFAULT = "default";
    private static final String OVERLAPPING = "overlapping";

    private static final int LANES = 24;

    /** Milliseconds that the follower is stopped for: below what puts it out of sync. */
    private static final long STOPPED_MS = 1_500;

    /** The least that is injected into a phase, a bit less than half the time of a standstill. */
    private static final double LEAST_MS = 300;

    /** After what was paused goes on, so many probes more through each leader. */
    private static final int PROBES_AFTER = 2;

    private final Rigor rigor;
    private final int warmUpSeconds;
    private final Map<String, ?> moreProfiles;

    private final PollGate gate = new PollGate();
    private KafkaCluster cluster;
    private Signals signals;
    private Followed again;
    private EmbeddedCanary canary;
    private Stall follower;
    private Stall leader;
    private Stall followers;
    private Rounds measured;

    /**
     * @param moreProfiles as configured, by name
     */
    Stalls(Rigor rigor, int warmUpSeconds, Map<String, ?> moreProfiles) {
        this.rigor = rigor;
        this.warmUpSeconds = warmUpSeconds;
        this.moreProfiles = moreProfiles;
    }

    @BeforeAll
    void measure(@TempDir Path directory) throws Exception {
        cluster = TestClusters.three(directory, KafkaCluster.Builder::behindLinks);
        cluster.start();
        signals = new Signals();
        again = new Followed(cluster, 1, 2);
        canary =
                new EmbeddedCanary(
                        Map.of(
                                "bootstrap-servers",
                                cluster.bootstrap(),
                                "loss-horizon",
                                "20s",
                                "probe",
                                Map.of(
                                        "rate",
                                        PROBES_PER_SECOND,
                                        "schedule",
                                        "uniform",
                                        "lanes",
                                        LANES),
                                "profiles",
                                moreProfiles),
                        gate::nanoTime);
        long pid = cluster.broker(3).pid();
        follower =
                new Stall(
                        () -> {
                            signals.send("STOP", pid);
                            again.begin();
                        },
                        () -> {
                            signals.send("CONT", pid);
                            return again.again();
                        });
        leader =
                new Stall(
                        cluster.clientLink(1).there()::pause,
                        cluster.clientLink(1).there()::resume);
        followers =
                new Stall(
                        cluster.replicationLink(1).there()::pause,
                        cluster.replicationLink(1).there()::resume);
        // The JVMs warm up, the lanes open, the clocks' windows fill.
        seconds(warmUpSeconds);
        measured = rounds();
    }

    private Rounds rounds() throws Exception {
        List<Part> stopped = List.of(new Part(follower, 100, STOPPED_MS));
        List<Part> overlapping =
                List.of(
                        new Part(leader, 100, 1_500),
                        new Part(followers, 1_500, 700),
                        new Part(new Stall(gate::shut, gate::open), 2_100, 700));
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(overlapping.size());
        try {
            return Rounds.of(
                    rigor,
                    new Referee(cluster, true, LEAST_MS, rigor),
                    () ->
                            Map.of(
                                    PLAIN,
                                    List.of(seconds(2)),
                                    FOLLOWER_STOPPED,
                                    List.of(stretch(timer, stopped)),
                                    OVERLAPPING,
                                    List.of(stretch(timer, overlapping))));
        } finally {
            timer.shutdownNow();
            assertThat(timer.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            stopped.forEach(part -> part.stall().end());
            overlapping.forEach(part -> part.stall().end());
        }
    }

    @AfterAll
    void stop() throws Exception {
        gate.open();
        if (canary != null) {
            canary.close();
        }
        if (again != null) {
            again.close();
        }
        if (signals != null) {
            signals.close();
        }
        cluster.close();
    }

    @Test
    void aStalledFollowerGoesToCommit() {
        stoppedFollower(DEFAULT).isInjected(injectedByFollower());
    }

    @Test
    void stallsOfLeaderFollowersAndConsumerThatOverlapGoToTheirOwnPhases() {
        overlapping(DEFAULT, "consume-it", 0);
    }

    void overlapping(String profile, String consumer, double moved) {
        assertThat(gate.away(consumer)).as("consumer kept away").hasSizeGreaterThanOrEqualTo(1);
        measured.growth(
                        "leader, followers and consumer, " + profile,
                        PLAIN,
                        OVERLAPPING,
                        profile,
                        1)
                .isInjectedButFor(
                        injected(
                                OVERLAPPING,
                                new StallModel(
                                        leader.intervals(),
                                        followers.intervals(),
                                        gate.away(consumer))),
                        moved);
    }

    @Test
    void everyProbeIsAccountedForAndNoClockSteppedInAllOfThat() {
        await("all counted")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.pages().scrape();
                            for (int id : ALL) {
                                assertThat(CanaryPages.conserved(scrape, id)).isTrue();
                                assertThat(
                                                scrape.sum(
                                                        "kafka_canary_clock_steps_total",
                                                        "broker=\"" + id + "\""))
                                        .as("steps of broker %d's clock", id)
                                        .isZero();
                            }
                        });
    }

    Rounds measured() {
        return measured;
    }

    /** When the follower was stopped. */
    List<Stall.Interval> stopped() {
        return follower.intervals();
    }

    /** What the stopped follower added, through the leaders that it follows. */
    Growth stoppedFollower(String profile) {
        return measured.growth(
                "follower stopped, " + profile, PLAIN, FOLLOWER_STOPPED, profile, 1, 2);
    }

    List<Map<Phase, Double>> injectedByFollower() {
        return injected(FOLLOWER_STOPPED, new StallModel(List.of(), stopped(), List.of()));
    }

    private List<Map<Phase, Double>> injected(String name, StallModel model) {
        return measured.stretches(name).stream()
                .map(s -> model.added(s.fromNanos(), s.toNanos()))
                .toList();
    }

    /** How long a probe of those takes when nothing is paused, milliseconds. */
    double usual(String profile, int... leaders) {
        return Growth.median(
                measured.stretches(PLAIN).stream()
                        .map(s -> PhaseSums.total(s.sums(profile, leaders).means()))
                        .toList());
    }

    /**
     * One standstill of a round.
     *
     * @param afterMs of the round's beginning
     */
    private record Part(Stall stall, long afterMs, long forMs) {}

    private Stretch seconds(int seconds) {
        return canary.probes(DEFAULT, seconds * PROBES_PER_SECOND, BROKERS);
    }

    /** Until the standstills are over, and what they held up is back, and some probes more. */
    private Stretch stretch(ScheduledExecutorService timer, List<Part> parts) throws Exception {
        Scrape from = canary.pages().scrape();
        long fromNanos = System.nanoTime();
        List<Future<?>> begun = new ArrayList<>();
        for (Part part : parts) {
            begun.add(
                    timer.schedule(
                            () -> part.stall().standStill(timer, part.forMs()),
                            part.afterMs(),
                            TimeUnit.MILLISECONDS));
        }
        for (Future<?> each : begun) {
            each.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        }
        await("the standstills are over")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> parts.stream().noneMatch(part -> part.stall().stands()));
        Scrape over = canary.pages().scrape();
        await("what they held up is back")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> caughtUp(over, canary.pages().scrape()));
        return new Stretch(from, canary.pages().scrape(), fromNanos, System.nanoTime());
    }

    /** Whether as many are finished as were due then, and some more: those of that time, too. */
    private static boolean caughtUp(Scrape then, Scrape now) {
        return then.values().entrySet().stream()
                .filter(e -> e.getKey().startsWith("kafka_canary_probes_scheduled_total{"))
                .allMatch(
                        due ->
                                now.sum("kafka_canary_probes_total", labels(due.getKey()))
                                        >= due.getValue() + PROBES_AFTER);
    }

    private static String[] labels(String series) {
        return series.substring(series.indexOf('{') + 1, series.indexOf('}')).split(",");
    }
}
