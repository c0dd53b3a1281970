/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A follower is paused now and then on real brokers, and the time that this costs goes to commit,
 * as is estimated without exporters: with the default profile, and with profiles whose probes wait
 * behind each other. These go by the critical path, whether or not there are lanes enough. Other
 * faults, at default settings, are FaultPhasesIT's.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StallsAtLengthIT {
    private static final int ROUNDS = 12;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int WARM_UP_SECONDS = 20;
    private static final int PROBES_PER_SECOND = 10;
    private static final double PROBES_DISTANCE_MS = 1e3 / PROBES_PER_SECOND;
    private static final int[] ALL = {1, 2, 3};
    private static final int FOLLOWER = 3;
    private static final int[] LEADERS = {1, 2};
    private static final String PLAIN = "plain";
    private static final String PAUSED = "follower paused";
    private static final String WINDOW = "window";

    private static final String CONFIG =
            """
            clusters:
              it:
                bootstrap-servers: %s
                loss-horizon: 20s
                probe: {rate: %d, schedule: uniform, lanes: 24}
                profiles:
                  few-lanes: {probe: {lanes: 8}}
                  pipelined: {probe: {pipelined: true}}
                  window:
                    probe: {pipelined: true, attribution: position}
                    producer: {max.in.flight.requests.per.connection: 1}
            """;

    /** What is due through all leaders in 1.5 s: a pause below what puts a follower out of sync. */
    private static final int PROBES_OF_A_PAUSE = ALL.length * PROBES_PER_SECOND * 3 / 2;

    /** The least that is injected into a phase, a bit less than half the time of a pause. */
    private static final double LEAST_MS = 300;

    /** After the follower follows again, so many probes more through each leader. */
    private static final int PROBES_AFTER = 2;

    /** How long the follower was paused, milliseconds, by the stretch in which it was. */
    private final Map<Stretch, Double> pauses = new IdentityHashMap<>();

    private KafkaCluster cluster;
    private Signals signals;
    private Followed again;
    private RunningCanary canary;
    private Rounds measured;

    @BeforeAll
    void measure(@TempDir Path directory) throws Exception {
        cluster = TestClusters.own(directory, ALL.length, "", more -> more);
        cluster.start();
        signals = new Signals();
        again = new Followed(cluster, LEADERS);
        String config = CONFIG.formatted(cluster.bootstrap(), PROBES_PER_SECOND);
        canary = RunningCanary.embedded(config, System::nanoTime);
        canary.awaitReady();
        // The JVMs warm up, the lanes open, the clocks' windows fill.
        seconds(WARM_UP_SECONDS);
        measured =
                Rounds.of(
                        ROUNDS,
                        PATIENCE,
                        new Referee(cluster, false, LEAST_MS),
                        () -> Map.of(PLAIN, List.of(seconds(2)), PAUSED, List.of(paused())));
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, again, signals, cluster);
    }

    /**
     * With eight lanes, of the fifteen probes that a pause holds up those that found none go out in
     * a second round. Where they share a connection, four wait unread behind the first request, and
     * the rest, in one, for the window: these are six rounds, one after the other.
     *
     * @param rounds in which probes go out that found the way to the leader taken
     */
    @ParameterizedTest
    @CsvSource({"default, 0", "few-lanes, 2", "pipelined, 6"})
    void aPausedFollowerGoesToCommit(String profile, int rounds) {
        List<Map<Phase, Double>> injected =
                measured.stretches(PAUSED).stream()
                        .map(s -> Map.of(Phase.COMMIT, waited(s)))
                        .toList();
        growth(profile).isInjected(injected, rounds * usual(profile));
    }

    /**
     * One request at a time: the first probe waits for the follower, the rest for the window, and
     * go out together: two rounds. The first is due at any instant of a pause's first moments.
     */
    @Test
    void aFullInFlightWindowGoesByPositionToProduce() {
        List<Map<Phase, Double>> injected =
                measured.stretches(PAUSED).stream()
                        .map(
                                s -> {
                                    double probes = lengthMs(s) / PROBES_DISTANCE_MS;
                                    double first =
                                            (pauses.get(s) - PROBES_DISTANCE_MS / 2) / probes;
                                    return Map.of(
                                            Phase.PRODUCE, waited(s) - first, Phase.COMMIT, first);
                                })
                        .toList();
        growth(WINDOW).isInjected(injected, 2 * usual(WINDOW));
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

    private Growth growth(String profile) {
        return measured.growth(PAUSED + ", " + profile, PLAIN, PAUSED, profile, LEADERS);
    }

    /** The mean over a stretch's probes, ms: one that is due in a pause waits for its rest. */
    private double waited(Stretch stretch) {
        return Math.pow(pauses.get(stretch), 2) / 2 / lengthMs(stretch);
    }

    private static double lengthMs(Stretch stretch) {
        return (stretch.toNanos() - stretch.fromNanos()) / 1e6;
    }

    /** How long a probe of those takes when nothing is paused, milliseconds. */
    private double usual(String profile) {
        return Growth.median(
                measured.stretches(PLAIN).stream()
                        .map(s -> s.sums(profile, LEADERS).total())
                        .toList());
    }

    private Stretch seconds(int seconds) {
        return canary.probes(seconds * PROBES_PER_SECOND, ALL);
    }

    /** Until what a pause held up is back, and some probes more. */
    private Stretch paused() throws Exception {
        long pid = cluster.broker(FOLLOWER).pid();
        Scrape from = canary.scrape();
        long fromNanos = System.nanoTime();
        signals.send("STOP", pid);
        long begun = System.nanoTime();
        try {
            again.begin();
            canary.awaitClosely(
                    "probes of a second and a half wait",
                    now -> now.inFlight(Stretch.profile("default")) >= PROBES_OF_A_PAUSE);
        } finally {
            signals.send("CONT", pid);
        }
        double millis = (again.again() - begun) / 1e6;
        Scrape over = canary.scrape();
        canary.awaitClosely("what was held up is back", now -> caughtUp(over, now));
        Stretch stretch = new Stretch(canary.scrape().since(from), fromNanos, System.nanoTime());
        pauses.put(stretch, millis);
        return stretch;
    }

    /** Whether as many are finished as were due then, and some more: those of that time, too. */
    private static boolean caughtUp(Scrape then, Scrape now) {
        return then.page().named("kafka_canary_probes_scheduled_total").stream()
                .allMatch(
                        due ->
                                now.sum("kafka_canary_probes_total", labels(due))
                                        >= due.value() + PROBES_AFTER);
    }

    private static String[] labels(Sample series) {
        return series.labels().entrySet().stream().map(Object::toString).toArray(String[]::new);
    }
}
