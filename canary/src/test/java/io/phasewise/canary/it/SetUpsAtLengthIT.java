/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.phase.Phase;
import io.phasewise.lab.fault.FalseClock;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two things that move a phase, or must not, on the same real brokers: what clients are set to, and
 * brokers' clocks that are wrong.
 *
 * <p>One canary measures three times over, plainly, with a lingering producer, and with a consumer
 * that lets the broker wait: the phase that the setting belongs to is longer by it, and no other.
 *
 * <p>The brokers' wall clocks are off, step or drift meanwhile, and the boundary between publish
 * and commit, which depends on them, stays where it is, within the uncertainty that the canary
 * exports. When a record was really appended is known here: it is what its broker stamped it with,
 * to the millisecond, less what the broker's clock was off by at that moment. That is held against
 * what the canary says of each probe of brokers 1 and 3. Broker 1 is 5 s ahead from its start and
 * gains 15 ppm, which is within the allowance; broker 3 is 5 s behind from its start and gains 200
 * ppm, as one that is being set gradually. Broker 2 is set forward by 5 s, right, and so on: that
 * it steps is counted; what becomes of its probes' phases meanwhile is BrokerClockTest's.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(
        value = "falseClocksCanBeHad",
        disabledReason = "libfaketime is not installed (Debian: faketime)")
class SetUpsAtLengthIT {
    private static final int[] ALL = {1, 2, 3};
    private static final String DEFAULT = "default";
    private static final String LINGERING = "lingering";
    private static final String WAITING = "waiting";
    private static final String ALIKE = "alike";
    private static final String UNCERTAINTY = "clock_uncertainty_seconds";

    /** Not in step with the fetches that wait: probes come at all instants of them alike. */
    private static final int PROBES_PER_SECOND = 6;

    /** So many probes find the fetches that wait at all instants alike. */
    private static final int PROBES_OF_A_STRETCH = 24;

    private static final int STEPPING = 2;
    private static final long MILLI = 1_000_000;

    private static final double STAMP_MS = 1;

    /** What a setting adds to its phase, in the mean. */
    private static final int MILLIS = 100;

    private static final int PROBES_BETWEEN_STEPS = 25;

    /** What the stepping clock is set to, one after the other. */
    private static final int[] SECONDS_AHEAD = {5, 0, -5, 0};

    private final Map<Integer, SetClock> clocks = new HashMap<>();

    /** Milliseconds that the canary stated, by broker, one after the other. */
    private final Map<Integer, List<Double>> uncertainties = new HashMap<>();

    /** Milliseconds that a probe was appended later by the canary than in truth, by broker. */
    private final Map<Integer, List<Double>> errors = new HashMap<>();

    private ScheduledExecutorService timer;
    private KafkaCluster cluster;
    private RunningCanary canary;
    private Rounds alike;
    private double fetchMs;
    private int steps;
    private Scrape end;
    private double firstAheadAtEnd;

    static boolean falseClocksCanBeHad() {
        return FalseClock.library().isPresent();
    }

    @BeforeAll
    void measure(@TempDir Path directory) throws Exception {
        Path library = FalseClock.library().orElseThrow();
        double[][] offAndPpm = {{5, 15}, {0, 0}, {-5, 200}};
        for (int broker = 1; broker <= ALL.length; broker++) {
            clocks.put(
                    broker,
                    new SetClock(
                            new FalseClock(library, directory.resolve("clock-" + broker)),
                            offAndPpm[broker - 1][0],
                            offAndPpm[broker - 1][1]));
        }
        timer = Executors.newSingleThreadScheduledExecutor();
        timer.scheduleAtFixedRate(
                () -> clocks.values().forEach(SetClock::drift), 0, 20, TimeUnit.MILLISECONDS);
        // The quorum goes by the wall clock: a step must not end a leadership.
        cluster =
                TestClusters.own(
                        directory,
                        3,
                        "controller.quorum.fetch.timeout.ms=20000",
                        builder -> builder.environment(id -> clocks.get(id).environment()));
        cluster.start();
        // All probes are kept.
        String config =
                """
                clusters:
                  it:
                    bootstrap-servers: %s
                    loss-horizon: 20s
                    probe: {rate: %d, schedule: uniform}
                    slow-probes: {keep: 1000}
                    profiles:
                      lingering: {producer: {linger.ms: %d}}
                      waiting: {consumer: {fetch.min.bytes: 10000000, fetch.max.wait.ms: %d}}
                """
                        .formatted(cluster.bootstrap(), PROBES_PER_SECOND, MILLIS, 2 * MILLIS);
        canary = RunningCanary.embedded(config, System::nanoTime);
        canary.awaitReady();
        // The JVMs warm up, the clocks' windows fill.
        canary.probes(20, ALL);
        alike =
                Rounds.of(
                        5,
                        Duration.ofMinutes(5),
                        new Referee(cluster, false, MILLIS),
                        () -> Map.of(ALIKE, List.of(canary.probes(PROBES_OF_A_STRETCH, ALL))));
        fetchMs =
                canary.scrape()
                        .sum("kafka_consumer_fetch_manager_fetch_latency_avg", "profile=waiting");
        Instant watched = Instant.now();
        watch();
        for (int seconds : SECONDS_AHEAD) {
            clocks.get(STEPPING).set(seconds);
            steps++;
            watch();
        }
        end = canary.scrape();
        firstAheadAtEnd = clocks.get(1).ahead() / 1e9;
        locate(watched, stamps());
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

    /**
     * Notes what the canary says of the clocks until it has seen the last step and enough probes of
     * each broker are back.
     */
    private void watch() {
        Scrape from = canary.scrape();
        canary.await(
                "a step is counted, and " + PROBES_BETWEEN_STEPS + " probes are back",
                scrape -> {
                    for (int broker : ALL) {
                        uncertainties
                                .computeIfAbsent(broker, id -> new ArrayList<>())
                                .add(said(UNCERTAINTY, scrape, broker) * 1e3);
                    }
                    return said("clock_steps_total", scrape, STEPPING) >= steps
                            && PhaseSums.recorded(
                                    scrape.since(from),
                                    "profile=default",
                                    PROBES_BETWEEN_STEPS,
                                    ALL);
                });
    }

    /** What the brokers stamped the records with, by partition and offset. */
    private Map<String, Long> stamps() {
        Map<String, Long> stamps = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.bootstrap()),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor("phasewise-canary").stream()
                            .map(info -> new TopicPartition(info.topic(), info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            RunningCanary.await(
                    "all records",
                    () -> {
                        for (ConsumerRecord<byte[], byte[]> it :
                                consumer.poll(Duration.ofSeconds(1))) {
                            stamps.put(it.partition() + "/" + it.offset(), it.timestamp());
                        }
                        return ends.entrySet().stream()
                                .allMatch(e -> consumer.position(e.getKey()) >= e.getValue());
                    });
        }
        return stamps;
    }

    /** Of probes that were due from an instant on. */
    private void locate(Instant from, Map<String, Long> stamps) {
        for (JsonNode probe : canary.cluster("it").get("slowestProbes")) {
            Long stamp = stamps.get(probe.get("partition") + "/" + probe.get("offset"));
            Instant at = Instant.parse(probe.get("due").asText());
            if (stamp == null || at.isBefore(from)) {
                continue;
            }
            int broker = probe.get("leader").asInt();
            long due = SetClock.nanos(at);
            JsonNode since = probe.get("nanosSinceDue");
            long appended = due + since.get("appended").asLong();
            long truth =
                    clocks.get(broker)
                            .trueNanos(
                                    // It is cut to the millisecond, for the canary as for the test.
                                    stamp * MILLI + MILLI / 2,
                                    due + since.get("dispatched").asLong(),
                                    due + since.get("delivered").asLong(),
                                    appended);
            errors.computeIfAbsent(broker, id -> new ArrayList<>())
                    .add((appended - truth) / (double) MILLI);
        }
    }

    @Test
    void lingeringGoesToProduce() {
        alike.profiles("linger.ms=" + MILLIS, ALIKE, DEFAULT, LINGERING, ALL)
                .isInjected(Map.of(Phase.PRODUCE, (double) MILLIS), 0);
    }

    @Test
    void aBrokerThatHoldsFetchesBackGoesToFetch() {
        // A probe comes at any instant of a fetch, and waits for the rest of it; how long fetches
        // take is Kafka's own measure: what they wait at most, and what a busy machine adds.
        alike.profiles("fetch.max.wait.ms=" + 2 * MILLIS, ALIKE, DEFAULT, WAITING, ALL)
                .isInjected(
                        Map.of(Phase.FETCH, (double) MILLIS), Math.max(0, fetchMs / 2 - MILLIS));
    }

    @Test
    void aClockThatIsOffAndDriftsWithinTheAllowanceMovesNoPhase() {
        assertThat(said("clock_offset_seconds", end, 1))
                .isCloseTo(firstAheadAtEnd, within(said(UNCERTAINTY, end, 1) + STAMP_MS / 1e3));
        assertThat(said("clock_steps_total", end, 1)).as("steps").isZero();
        assertLocatedWithinUncertainty("5 s ahead and 15 ppm fast", 1);
    }

    @Test
    void aClockThatStepsIsCountedAndItsOffsetIsKnownAgain() {
        assertThat(said("clock_steps_total", end, STEPPING)).as("steps").isEqualTo(steps);
        assertThat(said("clock_offset_seconds", end, STEPPING))
                .isCloseTo(0, within(said(UNCERTAINTY, end, STEPPING) + STAMP_MS / 1e3));
    }

    @Test
    void aClockThatIsBeingSetMovesNoPhase() {
        assertThat(said("clock_steps_total", end, 3)).as("steps").isZero();
        assertLocatedWithinUncertainty("5 s behind and 200 ppm fast", 3);
    }

    @Test
    void noPhaseIsNegativeOrLeftOutOfAnyProbe() {
        JsonNode probes = canary.cluster("it").get("slowestProbes");
        assertThat(probes).hasSizeGreaterThanOrEqualTo(ALL.length * PROBES_BETWEEN_STEPS);
        for (JsonNode probe : probes) {
            JsonNode phases = probe.get("phaseNanos");
            assertThat(phases).as(probe::toString).hasSize(Phase.values().length);
            assertThat(phases).as(probe::toString).allMatch(phase -> phase.asLong() >= 0);
            assertThat(PhaseSums.nanos(phases)).isEqualTo(probe.get("endToEndNanos").asLong());
        }
    }

    /**
     * One in twenty may be off by more than was ever stated: a test that is held up while it reads
     * its own wall clock knows the truth no better.
     */
    private void assertLocatedWithinUncertainty(String what, int broker) {
        List<Double> off = errors.getOrDefault(broker, List.of());
        List<Double> stated = uncertainties.get(broker);
        double most = Collections.max(stated) + STAMP_MS;

        assertThat(off).as(what).hasSizeGreaterThanOrEqualTo(PROBES_BETWEEN_STEPS);
        assertThat(Growth.median(off))
                .as("%s: ms too late in the median, of %s", what, off)
                .isCloseTo(0, within(Growth.median(stated)));
        assertThat(off.stream().filter(each -> Math.abs(each) > most))
                .as("%s: beyond %.2f ms, of %d", what, most, off.size())
                .hasSizeLessThanOrEqualTo(off.size() / 20);
    }

    /** What the canary says of a broker. */
    private static double said(String what, Scrape scrape, int broker) {
        return scrape.sum("kafka_canary_" + what, "profile=default", "broker=" + broker);
    }
}
