/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.pause.StallingBroker;
import io.phasewise.experiments.fault.restart.RollingBrokers;
import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Brokers of the lab's own, one cluster for all tests: what an experiment records of them against
 * what was done, and what a fault leaves behind. Each test has topics of its own and begins with
 * all brokers.
 */
class RunnerIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final int A_SECOND = 10;
    private static final int RECORDS = 200;

    /** So that a turn ends half a second into a pause: see {@link #STALLING}. */
    private static final Duration MEASURED = Duration.ofSeconds(3);

    /**
     * Measuring begins once broker 1's exporter answers, which is at the end of a pause if it was
     * asked in one; two periods minus a second later comes the end.
     */
    private static final StallingBroker STALLING =
            new StallingBroker(1, Duration.ofMillis(1_500), Duration.ofSeconds(2));

    private static final Pace PACE =
            new Pace(1, Duration.ZERO, Duration.ofMillis(500), MEASURED, A_SECOND, Duration.ofSeconds(1), 1);

    @TempDir
    private static Path directory;

    private static LabCluster brokers;

    @BeforeAll
    static void startBrokers() throws Exception {
        brokers = LabCluster.start(ROOT, directory, ClusterSpec.PLAIN, ClusterBuilder::shortLived);
    }

    @BeforeEach
    void allBrokersRun() throws Exception {
        for (KafkaBroker broker : brokers.kafka().brokers()) {
            broker.start();
        }
    }

    @AfterAll
    static void stopBrokers() {
        if (brokers != null) {
            brokers.close();
        }
    }

    @Test
    void everyProbeOfATurnIsInItAndSoIsTheLoad() throws Exception {
        Map<String, Object> uniform = Map.of("probe", Map.of("schedule", "uniform"));
        Load load = new Load(2, RECORDS, 100, 6, Map.of());
        Variant healthy = new Variant("healthy", uniform, Optional.of(load), List.of());
        Variant stalling = new Variant("stalling", uniform, Optional.of(load), List.of(STALLING));
        Plan plan = new Plan(null, null, List.of(healthy, stalling), null);

        List<Turn> turns = new Runner(brokers, line -> {}).run(plan, PACE);

        assertThat(turns).hasSize(2);
        for (Turn turn : turns) {
            assertThat(turn.probes().stream().map(ProbeRecord::leader).distinct())
                    .containsExactlyInAnyOrder(1, 2, 3);
            double seconds = Duration.between(turn.from(), turn.to()).toMillis() / 1e3;
            for (int partition = 0; partition < 3; partition++) {
                List<Long> sequences = sequences(turn, partition);
                assertThat(sequences)
                        .as("numbers of " + turn.variant() + ", partition " + partition)
                        .isEqualTo(consecutive(sequences));
                // Due at even distances, wherever the turn begins between two of them.
                assertThat((double) sequences.size())
                        .as("probes of " + turn.variant() + ", partition " + partition)
                        .isCloseTo(A_SECOND * seconds, within(2.0));
            }
        }
        Turn quiet = turn(turns, "healthy");
        assertThat(quiet.probes()).allMatch(ProbeRecord::cameBack);
        // What is acknowledged late, on a busy machine, may be missing at the end, or count
        // although it was sent before. A count of the turn would be three times the rate.
        assertThat(quiet.conditions().figures().get("load records/s"))
                .as("records a second")
                .isBetween(RECORDS / 2.0, RECORDS * 1.5);
        assertThat(turn(turns, "stalling").probes())
                .as("however late they came back")
                .anyMatch(probe -> probe.endToEnd() > 1_000);
    }

    @Test
    void afterARollTheNextTurnBeginsWithAllReplicasInSync() throws Exception {
        KafkaCluster cluster = brokers.kafka();
        cluster.createTopic("rolled", 6, 3, Map.of());
        KafkaBroker rolled = cluster.broker(2);
        long before = rolled.pid();

        ActiveFault fault = new RollingBrokers(List.of(2)).begin(FaultTarget.of(cluster));
        try {
            Await.that("broker 2 comes again", Duration.ofSeconds(60))
                    .until(() -> rolled.pid() != before, () -> "it is the process that was there");
        } finally {
            fault.close();
        }

        assertThat(cluster.admin()
                        .describeTopics(List.of("rolled"))
                        .allTopicNames()
                        .get(20, TimeUnit.SECONDS)
                        .get("rolled")
                        .partitions())
                .allSatisfy(partition -> assertThat(partition.isr()).hasSize(3));
    }

    private static List<Long> sequences(Turn turn, int partition) {
        return turn.probes().stream()
                .filter(probe -> probe.partition() == partition)
                .map(ProbeRecord::sequence)
                .toList();
    }

    private static List<Long> consecutive(List<Long> sequences) {
        return LongStream.range(0, sequences.size())
                .map(i -> sequences.get(0) + i)
                .boxed()
                .toList();
    }

    private static Turn turn(List<Turn> turns, String variant) {
        return turns.stream()
                .filter(t -> t.variant().equals(variant))
                .findFirst()
                .orElseThrow();
    }
}
