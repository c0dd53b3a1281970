/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.fault.AdjustableClock;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Brokers' wall clocks are off, step or drift, and the offset that the canary finds, which the
 * boundary between publish and commit depends on, is the true one, within the uncertainty that it
 * exports. Broker 1 is 5 s ahead from its start and gains 15 ppm, which is within the allowance;
 * broker 3 is 5 s behind from its start and gains 200 ppm, as one that is being set gradually.
 * Broker 2 is set forward by 5 s, right, and so on: that it steps is counted. What becomes of
 * phases meanwhile is BrokerClockTest's and the lab's FaultPhasesIT's.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(value = "falseClocksCanBeHad", disabledReason = "libfaketime is not installed (Debian: faketime)")
class FalseClocksIT {
    private static final int[] ALL = {1, 2, 3};
    private static final int STEPPING = 2;
    private static final int PROBES_BETWEEN_STEPS = 25;

    /** Seconds to which a record is stamped. */
    private static final double STAMP = 1e-3;

    /** What the stepping clock is set to, one after the other. */
    private static final int[] SECONDS_AHEAD = {5, 0, -5, 0};

    private final Map<Integer, SetClock> clocks = new HashMap<>();

    /** How far the offset was off, as a share of what is stated, by broker. */
    private final Map<Integer, List<Double>> errors = new HashMap<>();

    private ScheduledExecutorService timer;
    private KafkaCluster cluster;
    private RunningCanary canary;
    private Scrape end;

    static boolean falseClocksCanBeHad() {
        return AdjustableClock.library().isPresent();
    }

    @BeforeAll
    void measure(@TempDir Path directory) throws Exception {
        double[][] offAndPpm = {{5, 15}, {0, 0}, {-5, 200}};
        for (int broker : ALL) {
            Path file = directory.resolve("clock-" + broker);
            AdjustableClock clock =
                    new AdjustableClock(AdjustableClock.library().orElseThrow(), file);
            double[] of = offAndPpm[broker - 1];
            clocks.put(broker, new SetClock(clock, of[0], of[1]));
        }
        timer = Executors.newSingleThreadScheduledExecutor();
        timer.scheduleAtFixedRate(() -> clocks.values().forEach(SetClock::drift), 0, 20, TimeUnit.MILLISECONDS);
        // The quorum goes by the wall clock: a step must not end a leadership.
        cluster = TestClusters.own(
                directory,
                3,
                "controller.quorum.fetch.timeout.ms=20000",
                builder -> builder.environment(id -> clocks.get(id).environment()));
        cluster.start();
        String config = "clusters: {it: {bootstrap-servers: '%s', loss-horizon: 20s}}";
        canary = RunningCanary.embedded(config.formatted(cluster.bootstrap()));
        canary.awaitReady();
        // The JVMs warm up, the clocks' windows fill.
        canary.probes(60, ALL);
        watch(0);
        for (int step = 1; step <= SECONDS_AHEAD.length; step++) {
            clocks.get(STEPPING).set(SECONDS_AHEAD[step - 1]);
            watch(step);
        }
    }

    @AfterAll
    void stop() throws Exception {
        if (canary != null) {
            canary.close();
        }
        // It writes into the directory of the brokers.
        timer.shutdown();
        assertThat(timer.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        cluster.close();
    }

    /** Until a step is counted and enough probes of each broker are back. */
    private void watch(int steps) {
        Scrape from = canary.scrape();
        end = canary.await("a step is counted, and " + PROBES_BETWEEN_STEPS + " probes are back", scrape -> {
            note(scrape, 1);
            note(scrape, 3);
            return said("clock_steps_total", scrape, STEPPING) >= steps
                    && scrape.since(from).split("profile=default", PROBES_BETWEEN_STEPS, ALL);
        });
        note(end, STEPPING);
    }

    private void note(Scrape scrape, int broker) {
        double off = said("clock_offset_seconds", scrape, broker)
                - clocks.get(broker).ahead() / 1e9;
        double stated = said("clock_uncertainty_seconds", scrape, broker) + STAMP;
        errors.computeIfAbsent(broker, id -> new ArrayList<>()).add(Math.abs(off) / stated);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 4", "3, 0"})
    void theOffsetIsKnownWithinWhatIsStatedAndOnlyStepsAreCounted(int broker, int steps) {
        assertThat(said("clock_steps_total", end, broker)).isEqualTo(steps);
        assertThat(errors.get(broker)).hasSizeGreaterThan(4).allMatch(share -> share <= 1);
    }

    /** What the canary says of a broker. */
    private static double said(String what, Scrape scrape, int broker) {
        return scrape.sum("kafka_canary_" + what, "profile=default", "broker=" + broker);
    }
}
