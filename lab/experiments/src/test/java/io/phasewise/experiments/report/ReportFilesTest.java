/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.experiments.catalogue.Catalogue;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.run.Circumstances;
import io.phasewise.experiments.run.Turn;
import io.phasewise.experiments.statistics.Comparer;
import io.phasewise.experiments.statistics.Interval;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFilesTest {
    private static final Instant START = Instant.parse("2026-11-21T20:00:00Z");

    @TempDir private Path directory;

    @Test
    void thePageLoadsNothingAndTheJsonHoldsWhatItTakesToDoItAgain() throws Exception {
        Result result = result();

        List<Path> written = new ReportFiles(directory).write(result);

        assertThat(written)
                .extracting(file -> file.getFileName().toString())
                .containsExactly(
                        "slow-follower.html",
                        "slow-follower.json",
                        "slow-follower.md",
                        "slow-follower.csv");
        String page = Files.readString(written.get(0));
        assertThat(page)
                .contains("<svg", "slow follower", "What differs", "A &lt;machine&gt;")
                .doesNotContain("src=", "href=", "@import", "NaN");
        JsonNode json = new ObjectMapper().readTree(written.get(1).toFile());
        assertThat(json.path("command").asText())
                .startsWith("./phasewise lab run slow-follower --param stall=400")
                .endsWith(" --bootstrap broker:9092");
        assertThat(json.at("/configuration/cluster/features/metadata.version").asText())
                .isEqualTo("29");
        assertThat(json.at("/pace/probesPerSecondAndBroker").asDouble()).isEqualTo(20);
        assertThat(json.path("variants").path(1).path("fault").asText())
                .isEqualTo("broker 3 stands still for 400 ms of every 1000 ms");
        assertThat(json.path("circumstances").path("machine").asText()).isEqualTo("A <machine>");
        assertThat(json.at("/comparisons/0/endToEnd/distance").asDouble()).isEqualTo(1);
        assertThat(json.at("/comparisons/0/producerVerdict").asText()).isEqualTo("slower");
        assertThat(json.at("/turns/1/p50").asDouble()).isCloseTo(59.75, within(1e-6));
        assertThat(json.at("/turns/1/phases/COMMIT").asDouble()).isCloseTo(11.95, within(1e-6));
        assertThat(Files.readString(written.get(2)))
                .contains("| slow follower | 80 ", "| slower  |")
                .contains("| refused/s |", "| 7.00      |")
                .as("80 probes are too few for p99, which takes 368")
                .containsPattern(
                        "\\| slow follower +\\| 80 +\\| 59.75 .*\\| - +\\| - +\\| - +\\|\n")
                .as("the upper end would be the slowest of all")
                .contains("| 1.38 [1.32, -] ")
                .as("producer latency beside end to end, of both turns of 40")
                .containsPattern("\\| healthy +\\| 80 +\\| 0.96 +\\| - +\\| 1.19 ");
        assertThat(Files.readAllLines(written.get(3))).hasSize(1 + 160);
    }

    @Test
    void aPercentileAmongProbesThatDidNotComeBackIsLostAndNoMissingFigure() {
        assertThat(TextReport.interval(new Interval(3, 2, Double.POSITIVE_INFINITY)))
                .isEqualTo("3.00 [2.00, lost]");
        assertThat(TextReport.interval(new Interval(3, 2, Double.NaN))).isEqualTo("3.00 [2.00, -]");
        assertThat(TextReport.interval(new Interval(Double.NaN, Double.NaN, Double.NaN)))
                .isEqualTo("-");
        assertThat(TextReport.ms(Double.POSITIVE_INFINITY)).isEqualTo("lost");
    }

    private static Result result() throws Exception {
        Experiment experiment = new Catalogue().find("slow-follower").orElseThrow();
        Parameters parameters =
                Parameters.read(Catalogue.parameters(experiment), Map.of("repeats", "2"));
        Plan plan = experiment.plan().apply(parameters);
        List<Turn> turns = new ArrayList<>();
        for (int repeat = 0; repeat < 2; repeat++) {
            turns.add(turn("healthy", repeat, 1));
            turns.add(turn("slow follower", repeat, 50));
        }
        return Result.of(
                experiment,
                parameters.values(),
                Pace.of(parameters),
                plan,
                new Surroundings(
                        List.of("--bootstrap", "broker:9092"),
                        Map.of("machine", "A <machine>"),
                        Map.of("cluster", Map.of("features", Map.of("metadata.version", "29")))),
                START,
                turns,
                new Comparer(Duration.ofSeconds(2), 1, 199));
    }

    private static Turn turn(String variant, int repeat, double scale) {
        List<ProbeRecord> probes =
                IntStream.range(0, 40)
                        .mapToObj(
                                i -> {
                                    double each = scale * (1 + i / 100.0) / 5;
                                    return new ProbeRecord(
                                            0,
                                            i,
                                            1,
                                            START.plusMillis(500L * i),
                                            "delivered",
                                            5 * each,
                                            4 * each,
                                            new double[] {each, each, each, each, each},
                                            0);
                                })
                        .toList();
        return new Turn(
                variant,
                repeat,
                START,
                START.plusSeconds(20),
                probes,
                new Circumstances(60, 0.5, 0.2, 0, 0.5, Map.of("refused/s", 7.0)));
    }
}
