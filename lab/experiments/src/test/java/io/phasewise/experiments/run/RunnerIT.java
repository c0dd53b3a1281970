/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.fault.StallingBroker;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an experiment records against what was done: how many probes, how much load, what was lost.
 */
class RunnerIT {
    private static final int A_SECOND = 10;
    private static final int SECONDS = 6;
    private static final int RECORDS = 200;

    @Test
    void everyProbeOfATurnIsInItAndSoIsEveryRecordOfTheLoad(@TempDir Path directory)
            throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        Variant healthy =
                Variant.of("healthy", Map.of()).with(new Load(2, RECORDS, 100, 6, 3, Map.of()));
        Variant stalling =
                healthy.named("stalling")
                        .with(new StallingBroker(1, Duration.ofSeconds(4), Duration.ofSeconds(5)));
        Plan plan = Plan.of(healthy, stalling);
        Pace pace =
                new Pace(
                        1,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(SECONDS),
                        A_SECOND,
                        Duration.ofSeconds(1),
                        1);

        List<Turn> turns;
        try (Target target = Target.start(root, directory.resolve("kafka"), plan)) {
            turns =
                    new Runner(
                                    root.resolve("canary/target/phasewise-canary.jar"),
                                    Files.createDirectory(directory.resolve("run")),
                                    target,
                                    line -> {})
                            .run(plan, pace);
        }

        assertThat(turns).hasSize(2);
        for (Turn turn : turns) {
            System.out.printf(
                    "%s: %d probes, %d not seen, %s%n",
                    turn.variant(), turn.probes().size(), turn.unseen(), turn.circumstances());
            assertThat(turn.probes().stream().map(ProbeRecord::leader).distinct())
                    .containsExactlyInAnyOrder(1, 2, 3);
            for (int partition = 0; partition < 3; partition++) {
                assertThat(sequences(turn, partition))
                        .as("numbers of " + turn.variant() + ", partition " + partition)
                        // Due at random, sixty in the mean.
                        .hasSizeGreaterThan(A_SECOND * SECONDS / 3)
                        .isEqualTo(consecutive(sequences(turn, partition)));
            }
        }
        Turn quiet = turn(turns, "healthy");
        assertThat(quiet.unseen()).isZero();
        // Counted at two instants, each of them early or late on a busy machine. A count of the
        // whole turn would be six times as much.
        assertThat(quiet.circumstances().loadRecords())
                .as("an open loop's rate")
                .isCloseTo(RECORDS, Percentage.withPercentage(30));
        assertThat(turn(turns, "stalling").probes())
                .as("however late they came back")
                .anyMatch(probe -> probe.endToEnd() > 3_000);
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
        return turns.stream().filter(t -> t.variant().equals(variant)).findFirst().orElseThrow();
    }
}
