/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.phasewise.canary.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
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
 * Leader, followers and consumer stand still now and then, one at a time and overlapping, on real
 * brokers, and the time that this costs goes to the phase in which it does: by the critical path,
 * whether or not there are lanes enough, and where a profile asks for it by position.
 */
@Tag("measures")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StallsIT {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration WARM_UP = Duration.ofSeconds(30);
    private static final double USUAL_MS = 8;
    private static final int BROKERS = 3;
    private static final int[] ALL = {1, 2, 3};
    private static final String PIPELINED = "pipelined";
    private static final String PLAIN = "plain";
    private static final String STALLED = "stalled";

    /** More of them tell more on a busy machine, and take longer. */
    private static final int ROUNDS = Integer.getInteger("phasewise.stall-rounds", 6);

    private static final int PROBES_PER_SECOND = 20;

    private final PollGate gate = new PollGate();
    private KafkaCluster cluster;
    private Signals signals;
    private Followed again;
    private EmbeddedCanary canary;
    private Stall follower;
    private Rounds followed;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
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
                                        24),
                                "profiles",
                                Map.of(
                                        "few-lanes",
                                        Map.of("probe", Map.of("lanes", 4)),
                                        PIPELINED,
                                        Map.of("probe", Map.of("pipelined", true)),
                                        "window",
                                        Map.of(
                                                "probe",
                                                Map.of(
                                                        "pipelined",
                                                        true,
                                                        "attribution",
                                                        "position"),
                                                "producer",
                                                Map.of(
                                                        "max.in.flight.requests.per.connection",
                                                        "1")))),
                        gate::nanoTime);
        // The lanes open, the clocks' windows fill.
        canary.probes("default", 200, BROKERS);
        warmUp();
        long pid = cluster.broker(3).process().orElseThrow().pid();
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
    }

    /** Until the JVMs have warmed up: a probe takes no longer than it usually does on two cores. */
    private void warmUp() {
        long until = System.nanoTime() + WARM_UP.toNanos();
        double took = Double.MAX_VALUE;
        while (took > USUAL_MS && System.nanoTime() - until < 0) {
            took =
                    PhaseSums.total(
                            canary.probes("default", 40, BROKERS).sums("default", ALL).means());
        }
        System.out.printf(Locale.ROOT, "warm: a probe takes %.2f ms%n", took);
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
    @Order(2)
    void aStalledFollowerGoesToCommitWhetherOrNotThereAreLanesEnough() throws Exception {
        measureStoppedFollower();
        List<Map<Phase, Double>> injected =
                injected(followed, new StallModel(List.of(), follower.intervals(), List.of()));
        followed("default", "follower stopped for 600 ms").isInjected(injected);
        // Twelve probes, four lanes: those that found none go out in three rounds.
        followed("few-lanes", "follower stopped for 600 ms, four lanes")
                .isInjected(injected, 3 * usual("few-lanes"));
    }

    @Test
    @Order(2)
    void aStalledFollowerGoesToCommitOfProbesThatShareAConnection() throws Exception {
        measureStoppedFollower();
        // Behind the first request four wait unread, and the rest, in one, for the window: these
        // are six rounds, one after the other.
        followed(PIPELINED, "follower stopped for 600 ms, pipelined")
                .isInjected(
                        injected(
                                followed,
                                new StallModel(List.of(), follower.intervals(), List.of())),
                        6 * usual(PIPELINED));
    }

    @Test
    @Order(2)
    void aFullInFlightWindowGoesByPositionToProduce() throws Exception {
        measureStoppedFollower();
        // One request at a time: the first probe waits for the follower, the rest for the window,
        // and go out together: two rounds.
        followed("window", "follower stopped for 600 ms, window full")
                .isInjected(
                        followed.stretches(STALLED).stream()
                                .map(
                                        s ->
                                                StallModel.window(
                                                        follower.intervals(),
                                                        s.fromNanos(),
                                                        s.toNanos(),
                                                        1_000_000_000L / PROBES_PER_SECOND))
                                .toList(),
                        2 * usual("window"));
    }

    @Test
    @Order(1)
    void stallsOfLeaderFollowersAndConsumerThatOverlapGoToTheirOwnPhases() throws Exception {
        Stall leader =
                new Stall(
                        cluster.clientLink(1).there()::pause,
                        cluster.clientLink(1).there()::resume);
        Stall followers =
                new Stall(
                        cluster.replicationLink(1).there()::pause,
                        cluster.replicationLink(1).there()::resume);
        Stall consumer = new Stall(gate::shut, gate::open);
        Rounds rounds =
                stallRounds(
                        1_700,
                        List.of(
                                new Part(leader, 100, 600),
                                new Part(followers, 550, 450),
                                new Part(consumer, 900, 500)));

        for (String profile : List.of("default", "few-lanes")) {
            List<Stall.Interval> away =
                    gate.away(profile.equals("default") ? "consume-it" : "consume-it@" + profile);
            rounds.growth("consumer away for 500 ms, " + profile, PLAIN, STALLED, profile, 2, 3)
                    .isInjected(injected(rounds, new StallModel(List.of(), List.of(), away)));
            // Probes that found no lane go out in two more rounds: so much later does each phase
            // begin for them.
            rounds.growth("leader, followers and consumer, " + profile, PLAIN, STALLED, profile, 1)
                    .isInjectedButFor(
                            injected(
                                    rounds,
                                    new StallModel(
                                            leader.intervals(), followers.intervals(), away)),
                            profile.equals("default") ? 0 : 2 * usual(rounds, profile, 1));
        }
    }

    @Test
    @Order(3)
    void everyProbeIsAccountedForAndNoClockSteppedInAllOfThat() {
        await("all counted")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.pages().scrape();
                            for (int leader : ALL) {
                                assertThat(scrape.conserved(leader)).isTrue();
                                assertThat(
                                                scrape.sum(
                                                        "kafka_canary_clock_steps_total",
                                                        broker(leader)))
                                        .as("steps of broker %d's clock", leader)
                                        .isZero();
                            }
                        });
    }

    /**
     * Once for all tests: broker 3 stands still for 0.6 s at a time, below what puts it out of
     * sync. Its own probes suffer otherwise; those of 1 and 2 wait for it to follow. Four lanes
     * absorb 0.2 s.
     */
    private void measureStoppedFollower() throws Exception {
        if (followed == null) {
            followed = stallRounds(1_300, List.of(new Part(follower, 100, 600)));
        }
    }

    /** What the stopped follower added, by way of the leaders that it follows. */
    private Growth followed(String profile, String what) {
        return followed.growth(what, PLAIN, STALLED, profile, 1, 2);
    }

    /** How long a probe of those takes when nothing stands still, milliseconds. */
    private double usual(String profile) {
        return usual(followed, profile, 1, 2);
    }

    private static double usual(Rounds rounds, String profile, int... leaders) {
        return Growth.median(
                rounds.stretches(PLAIN).stream()
                        .map(s -> PhaseSums.total(s.sums(profile, leaders).means()))
                        .toList());
    }

    private static String broker(int id) {
        return "broker=\"" + id + "\"";
    }

    /**
     * One standstill of a round.
     *
     * @param afterMs of the round's beginning
     */
    private record Part(Stall stall, long afterMs, long forMs) {}

    private Rounds stallRounds(long lengthMs, List<Part> parts) throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(parts.size());
        try {
            return Rounds.of(
                    ROUNDS,
                    () ->
                            Map.of(
                                    PLAIN,
                                    List.of(stretch(lengthMs, timer, List.of())),
                                    STALLED,
                                    List.of(stretch(lengthMs, timer, parts))));
        } finally {
            timer.shutdownNow();
            assertThat(timer.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            for (Part part : parts) {
                part.stall().end();
            }
        }
    }

    /** Until the time is over, the standstills too, and what they held up is back. */
    private Stretch stretch(long lengthMs, ScheduledExecutorService timer, List<Part> parts)
            throws Exception {
        Scrape from = canary.pages().scrape();
        long fromNanos = System.nanoTime();
        double usual = Math.max(4, inFlight(from));
        List<Future<?>> over = new ArrayList<>();
        for (Part part : parts) {
            over.add(
                    timer.schedule(
                            () -> part.stall().standStill(timer, part.forMs()),
                            part.afterMs(),
                            TimeUnit.MILLISECONDS));
        }
        await("the time is over, and so are the standstills")
                .atMost(BOUND)
                .pollDelay(Duration.ofMillis(lengthMs))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () ->
                                over.stream().allMatch(Future::isDone)
                                        && parts.stream().noneMatch(p -> p.stall().stands()));
        for (Future<?> begun : over) {
            begun.get();
        }
        try {
            await("what they held up is back")
                    .atMost(BOUND)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> inFlight(canary.pages().scrape()) <= usual);
        } catch (ConditionTimeoutException busy) {
            // That would be back by now, or lost: it is the machine that has become slower.
            abort("so many probes are always in flight that nothing can be measured");
        }
        return new Stretch(from, canary.pages().scrape(), fromNanos, System.nanoTime());
    }

    private static double inFlight(Scrape scrape) {
        return Stream.of("default", "few-lanes", PIPELINED, "window")
                .mapToDouble(p -> scrape.sum("kafka_canary_probes_in_flight", PhaseSums.profile(p)))
                .sum();
    }

    private static List<Map<Phase, Double>> injected(Rounds rounds, StallModel model) {
        return rounds.stretches(STALLED).stream()
                .map(s -> model.added(s.fromNanos(), s.toNanos()))
                .toList();
    }
}
