/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leader, followers and consumer are paused now and then, one at a time and overlapping, on real
 * brokers, and the time that this costs goes to the phase in which it does, as is estimated without
 * exporters: with the default profile, and with profiles whose probes wait behind each other. These
 * go by the critical path, whether or not there are lanes enough.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StallsAtLengthIT {
    private static final int ROUNDS = 12;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int WARM_UP_SECONDS = 20;
    private static final int PROBES_PER_SECOND = 10;
    private static final int[] ALL = {1, 2, 3};
    private static final String PLAIN = "plain";
    private static final String FOLLOWER_STOPPED = "follower stopped";
    private static final String OVERLAPPING = "overlapping";
    private static final String DEFAULT = "default";
    private static final String FEW_LANES = "few-lanes";
    private static final String PIPELINED = "pipelined";
    private static final String WINDOW = "window";

    private static final String CONFIG =
            """
            clusters:
              it:
                bootstrap-servers: %s
                loss-horizon: 20s
                probe: {rate: %d, schedule: uniform, lanes: %d}
                profiles:
                  few-lanes: {probe: {lanes: 8}}
                  pipelined: {probe: {pipelined: true}}
                  window:
                    probe: {pipelined: true, attribution: position}
                    producer: {max.in.flight.requests.per.connection: 1}
            """;

    private static final int LANES = 24;

    /** Milliseconds that the follower is stopped for: below what puts it out of sync. */
    private static final long STOPPED_MS = 1_500;

    /** The least that is injected into a phase, a bit less than half the time of a pause. */
    private static final double LEAST_MS = 300;

    /** After what was paused goes on, so many probes more through each leader. */
    private static final int PROBES_AFTER = 2;

    private final PollGate gate = new PollGate();
    private KafkaCluster cluster;
    private Signals signals;
    private Followed again;
    private RunningCanary canary;
    private Stall follower;
    private Stall leader;
    private Stall followers;
    private Rounds measured;

    @BeforeAll
    void measure(@TempDir Path directory) throws Exception {
        cluster = TestClusters.own(directory, 3, "", ClusterBuilder::behindLinks);
        cluster.start();
        signals = new Signals();
        again = new Followed(cluster, 1, 2);
        String config = CONFIG.formatted(cluster.bootstrap(), PROBES_PER_SECOND, LANES);
        canary = RunningCanary.embedded(config, gate::nanoTime);
        canary.awaitReady();
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
        seconds(WARM_UP_SECONDS);
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
                    ROUNDS,
                    PATIENCE,
                    new Referee(cluster, true, LEAST_MS),
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
        TestClusters.close(canary, again, signals, cluster);
    }

    @Test
    void aStalledFollowerGoesToCommit() {
        stoppedFollower(DEFAULT, 0);
    }

    @Test
    void aStalledFollowerGoesToCommitThoughThereAreTooFewLanes() {
        // Fifteen probes, eight lanes: those that found none go out in a second round.
        stoppedFollower(FEW_LANES, 2);
    }

    @Test
    void aStalledFollowerGoesToCommitOfProbesThatShareAConnection() {
        // Behind the first request four wait unread, and the rest, in one, for the window: these
        // are six rounds, one after the other.
        stoppedFollower(PIPELINED, 6);
    }

    /**
     * @param rounds in which probes go out that found the way to the leader taken
     */
    private void stoppedFollower(String profile, int rounds) {
        StallModel model = new StallModel(List.of(), follower.intervals(), List.of());
        growth(FOLLOWER_STOPPED, profile, 1, 2)
                .isInjected(injected(FOLLOWER_STOPPED, model), rounds * usual(profile, 1, 2), 0);
    }

    @Test
    void aFullInFlightWindowGoesByPositionToProduce() {
        // One request at a time: the first probe waits for the follower, the rest for the window,
        // and go out together: two rounds.
        List<Map<Phase, Double>> injected =
                measured.stretches(FOLLOWER_STOPPED).stream()
                        .map(
                                s ->
                                        StallModel.window(
                                                follower.intervals(),
                                                s.fromNanos(),
                                                s.toNanos(),
                                                1_000_000_000L / PROBES_PER_SECOND))
                        .toList();
        growth(FOLLOWER_STOPPED, WINDOW, 1, 2).isInjected(injected, 2 * usual(WINDOW, 1, 2), 0);
    }

    @Test
    void stallsOfLeaderFollowersAndConsumerThatOverlapGoToTheirOwnPhases() {
        overlapping(DEFAULT, "consume-it", 0);
    }

    @Test
    void stallsThatOverlapGoToTheirOwnPhasesThoughThereAreTooFewLanes() {
        // Twenty-one probes, eight lanes: those that found none go out in two more rounds, and so
        // much later does each phase begin for them.
        overlapping(FEW_LANES, "consume-it@" + FEW_LANES, 2 * usual(FEW_LANES, 1));
    }

    private void overlapping(String profile, String consumer, double moved) {
        List<Stall.Interval> away = gate.away(consumer);
        assertThat(away).as("consumer kept away").isNotEmpty();
        StallModel model = new StallModel(leader.intervals(), followers.intervals(), away);
        growth(OVERLAPPING, profile, 1).isInjected(injected(OVERLAPPING, model), moved, moved);
    }

    private Growth growth(String fault, String profile, int... leaders) {
        return measured.growth(fault + ", " + profile, PLAIN, fault, profile, leaders);
    }

    private List<Map<Phase, Double>> injected(String fault, StallModel model) {
        return measured.stretches(fault).stream()
                .map(s -> model.added(s.fromNanos(), s.toNanos()))
                .toList();
    }

    @Test
    void everyProbeIsAccountedForAndNoClockSteppedInAllOfThat() {
        RunningCanary.awaitThat(
                "all counted",
                () -> {
                    Scrape scrape = canary.scrape();
                    for (int id : ALL) {
                        assertThat(scrape.conserved(Scrape.leader(id))).isTrue();
                        assertThat(scrape.sum("kafka_canary_clock_steps_total", "broker=" + id))
                                .as("steps of broker %d's clock", id)
                                .isZero();
                    }
                });
    }

    /** How long a probe of those takes when nothing is paused, milliseconds. */
    private double usual(String profile, int... leaders) {
        return Growth.median(
                measured.stretches(PLAIN).stream()
                        .map(s -> s.sums(profile, leaders).total())
                        .toList());
    }

    /**
     * One pause of a round.
     *
     * @param afterMs of the round's beginning
     */
    private record Part(Stall stall, long afterMs, long forMs) {}

    private Stretch seconds(int seconds) {
        return canary.probes(seconds * PROBES_PER_SECOND, ALL);
    }

    /** Until the pauses are over, and what they held up is back, and some probes more. */
    private Stretch stretch(ScheduledExecutorService timer, List<Part> parts) throws Exception {
        Scrape from = canary.scrape();
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
            each.get(60, TimeUnit.SECONDS);
        }
        Scrape over =
                canary.awaitClosely(
                        "the pauses are over",
                        now -> parts.stream().noneMatch(part -> part.stall().stands()));
        canary.awaitClosely("what they held up is back", now -> caughtUp(over, now));
        return new Stretch(canary.scrape().since(from), fromNanos, System.nanoTime());
    }

    /** Whether as many are finished as were due then, and some more: those of that time, too. */
    private static boolean caughtUp(Scrape then, Scrape now) {
        return then.named("kafka_canary_probes_scheduled_total").entrySet().stream()
                .allMatch(
                        due ->
                                now.sum("kafka_canary_probes_total", labels(due.getKey()))
                                        >= due.getValue() + PROBES_AFTER);
    }

    private static String[] labels(String series) {
        return series.substring(series.indexOf('{') + 1, series.indexOf('}'))
                .replace("\"", "")
                .split(",");
    }
}
