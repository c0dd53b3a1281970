/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.run.Turn;
import io.phasewise.experiments.run.TurnConditions;
import io.phasewise.experiments.statistics.Interval;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final Instant START = Instant.parse("2026-11-21T20:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void thePageHoldsWhatItTakesToDoItAgain() throws Exception {
        List<Path> written = new Report(result(50)).write(directory);

        assertThat(written)
                .extracting(file -> file.getFileName().toString())
                .containsExactly("slow-follower.md", "slow-follower.csv");
        assertThat(Files.readString(written.get(0)))
                .startsWith("# slow-follower\n\nWhat does a follower")
                .contains("\nExpected: A record is committed once every in-sync replica has it")
                .contains("```\n./phasewise lab run slow-follower --param stall=400\n```\n")
                .contains("- machine: a machine\n")
                .contains("- slow follower: StallingBroker[broker=3, standstill=PT0.4S, period=PT1S]\n")
                .contains("Each variant had 2 turns, ", "98.75 % each, so 95 % for the four")
                .contains("comparisons claim something; this page makes 1. Intervals of phases")
                .containsPattern("x-axis .\"healthy\", \"slow follower\".\n  bar .1.(19|20), 59.75.\n")
                .doesNotContain("NaN");
        assertThat(Files.readAllLines(written.get(1)))
                .hasSize(1 + 160)
                .contains("\"healthy\",1,1,2026-11-21T20:00:00Z,false,0.800,1.000,0.200,0.200,0.200,0.200,0.200");
    }

    @Test
    void everyTableSaysWhatItsProbesSay() throws Exception {
        assertThat(new Report(result(50)).tables())
                .containsPattern("## What differs\n\n.*\n.*\n\\| slow follower \\| healthy +\\| slower ")
                .as("mean of each phase")
                .containsPattern("\\| slow follower +\\| 11.95 +\\| 11.95 ")
                .containsPattern("\\| slow follower, more than healthy \\| 11.71 \\[11.71, 11.71\\]")
                .as("the upper end would be the slowest of all")
                .contains("| 1.38 [1.32, -] ")
                .as("80 probes are too few for p99, which takes 368")
                .containsPattern("\\| slow follower +\\| 80 .* \\| - +\\| - +\\| - +\\| 69.50 \\| 0 ")
                .as("what the producer waits for")
                .containsPattern("\\| healthy +\\| 80 of 80 +\\| 0.96 +\\| - +\\|")
                .as("by leader")
                .containsPattern("\\| healthy +\\| 1 +\\| 80 +\\| 1.19 ")
                .as("around it")
                .contains("| around it     | produce requests/s |\n")
                .contains("| healthy       | 60.00              |\n");
    }

    @Test
    void aVariantOfWhichNothingCameBackHasNoBarAndItsPercentilesAreLost() throws Exception {
        Report report = new Report(result(Double.POSITIVE_INFINITY));

        assertThat(report.tables())
                .contains("more missing")
                .containsPattern("\\| slow follower +\\| 80 +\\| lost +\\| - +\\| lost \\[lost, ")
                .doesNotContain("NaN");
        assertThat(Files.readString(report.write(directory).get(0))).containsPattern("  bar .1.(19|20), 0.00.\n");
    }

    @Test
    void aPercentileAmongProbesThatDidNotComeBackIsLostAndNoMissingFigure() {
        assertThat(Figures.interval(new Interval(3, 2, Double.POSITIVE_INFINITY)))
                .isEqualTo("3.00 [2.00, lost]");
        assertThat(Figures.interval(new Interval(3, 2, Double.NaN))).isEqualTo("3.00 [2.00, -]");
        assertThat(Figures.interval(new Interval(Double.NaN, Double.NaN, Double.NaN)))
                .isEqualTo("-");
    }

    @Test
    void figuresOfAnySizeKeepTheirDigits() {
        assertThat(List.of(1_425.3, 58.6, 0.0084, -0.0084, 0.0, Double.NaN))
                .extracting(Figures::ofAnySize)
                .containsExactly("1425", "58.60", "0.0084", "-0.0084", "0.00", "-");
    }

    /** A treatment so many times as slow as the baseline; infinitely: nothing came back. */
    private static Result result(double slower) throws Exception {
        Experiment experiment = Experiment.all().get(0);
        Parameters parameters = Parameters.read(experiment.parameters(), Map.of("repeats", "2"));
        List<Turn> turns = new ArrayList<>();
        for (int repeat = 0; repeat < 2; repeat++) {
            turns.add(turn("healthy", repeat, 1));
            turns.add(turn("slow follower", repeat, slower));
        }
        return new Result(
                experiment,
                "./phasewise lab run slow-follower --param stall=400",
                Pace.of(parameters),
                experiment.plan(parameters),
                Map.of("machine", "a machine"),
                START,
                turns);
    }

    private static Turn turn(String variant, int repeat, double scale) {
        List<ProbeRecord> probes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Instant due = START.plusMillis(500L * i);
            double each = scale * (1 + i / 100.0) / 5;
            double[] phases = new double[Phase.values().length];
            Arrays.fill(phases, Double.isFinite(each) ? each : Double.NaN);
            probes.add(new ProbeRecord(0, i, 1, due, "delivered", 5 * each, 4 * each, phases, 0));
        }
        TurnConditions around = new TurnConditions(Map.of("produce requests/s", 60.0));
        return new Turn(variant, repeat, START, START.plusSeconds(20), probes, around);
    }
}
