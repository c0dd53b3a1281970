/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.CommandReference;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(
                Path.of("nowhere"), new PrintWriter(out, true), new PrintWriter(err, true), () -> false, arguments);
    }

    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        CommandReference.holds(Main.commands(Path.of("nowhere"), () -> false));
    }

    /** What standard error says of a command line that is refused. */
    private String refused(String... arguments) {
        err.getBuffer().setLength(0);
        assertThat(run(arguments)).isEqualTo(2);
        return err.toString();
    }

    @Test
    void listNamesEveryExperimentWithItsParameters() {
        assertThat(run("list")).isZero();
        assertThat(out.toString())
                .contains("slow-follower (about 8 min)\n", "acks (about 14 min)\n", "linger (")
                .contains("allowed: 2 to 100");
    }

    @Test
    void helpNamesEveryStatus() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("0   done", "2   bad usage", "3   something needed is missing");
    }

    @Test
    void whatThereIsNotIsRefused() {
        assertThat(refused()).contains("Missing required subcommand", "list ", "run ", "matrix ");
        assertThat(refused("run", "nonsense"))
                .contains("there is no experiment nonsense; allowed: slow-follower, acks");
        assertThat(refused("matrix", "--only", "nonsense", "--plain", "1"))
                .contains("--row: no row nonsense; allowed: prometheus-restarts")
                .contains("--plain: 1; allowed: 2 to 600");
    }

    @Test
    void allFaultsOfACommandAreNamedAtOnce() {
        assertThat(refused("run slow-follower --param repeats=1 --param stal=5".split(" ")))
                .contains("--param repeats=1 is not allowed; allowed: 2 to 100, whole")
                .contains("--param stal is not known; allowed: stall, period, repeats");
    }

    @ParameterizedTest
    @CsvSource({
        "slow-follower, stall=2000, less than period (1000)",
        "producers, few=20, less than many (20)",
        "rates, low=4000, less than high (4000)",
        "acks, block=60, at most half of seconds (15)",
        "low-load, block=7.6, at most half of seconds (15)",
        "producers, linger=0.5, '0 to 1000, whole'",
        "acks, rate=NaN, 1 to 31",
        "acks, rate=fast, 1 to 31",
        "acks, rate=32, 1 to 31",
    })
    void aParameterThatIsNotAllowedIsRefusedWithWhatIs(String name, String given, String allowed) {
        assertThat(refused("run", name, "--param", given))
                .isEqualTo("phasewise lab: --param " + given + " is not allowed; allowed: " + allowed
                        + "\nphasewise lab run --help says what is allowed\n");
    }

    @Test
    void whatIsMissingIsSaidWithHowToGetIt(@TempDir Path directory) {
        assertThat(run("run", "slow-follower", "--out", directory.toString())).isEqualTo(3);
        assertThat(err.toString())
                .contains("phasewise lab: not built: ")
                .contains("start through ./phasewise, which builds what is missing");
    }

    @Test
    void aReportThatCouldNotBeWrittenIsRefusedBeforeAnythingIsStarted(@TempDir Path directory) throws IOException {
        String file = Files.createFile(directory.resolve("file")).toString();

        for (String command : List.of("run acks --out ", "matrix --out ")) {
            String below = file + "/below";
            assertThat(refused((command + below).split(" ")))
                    .contains("--out: " + below + ": it cannot be made: ", "; allowed: ")
                    .doesNotContain("starting");
        }
        assertThat(refused("matrix", "--out", "/proc/lab-results"))
                .as("the system does not make it")
                .contains("--out: /proc/lab-results: ");
    }

    @Test
    void aFileThatIsNoRunIsRefusedBeforeAnythingIsStarted(@TempDir Path directory) throws IOException {
        Path runs = Files.createDirectory(directory.resolve("runs"));
        Files.writeString(runs.resolve("2026-fault-matrix.json"), "{}");

        assertThat(refused("matrix", "--row", "clock-steps", "--out", directory.toString()))
                .contains("2026-fault-matrix.json is no run of the matrix: ", "'started'");
    }
}
