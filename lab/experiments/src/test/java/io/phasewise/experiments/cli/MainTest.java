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

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(
                Path.of("nowhere"),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                () -> false,
                arguments);
    }

    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        CommandReference.holds(Main.commands(Path.of("nowhere"), () -> false));
    }

    @Test
    void listNamesEveryExperimentWithItsParameters() {
        assertThat(run("list")).isZero();
        assertThat(out.toString())
                .contains(
                        "slow-follower (about 8 min)\n",
                        "acks (about 14 min)\n",
                        "linger (",
                        "allowed: 2 to 100");
    }

    @Test
    void anUnknownExperimentIsRefused() {
        assertThat(run("run", "nonsense")).isEqualTo(2);
        assertThat(err.toString())
                .contains("there is no experiment nonsense; allowed: slow-follower, acks");
    }

    @Test
    void allFaultsOfACommandAreNamedAtOnce() {
        assertThat(
                        run(
                                "run",
                                "slow-follower",
                                "--bootstrap",
                                "broker:9092",
                                "--client-config",
                                "/no/such/file",
                                "--param",
                                "repeats=1",
                                "--param",
                                "stal=5"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("which is refused on a cluster that the lab did not start")
                .contains("--client-config: /no/such/file cannot be read")
                .contains("--param repeats=1 is not allowed; allowed: 2 to 100, whole")
                .contains("--param stal is not known; allowed: stall, period, repeats");
    }

    @Test
    void parametersThatDoNotGoTogetherAreRefused() {
        assertRefused("slow-follower stall=2000", "less than period (1000)");
        assertRefused("producers few=20", "less than many (20)");
        assertRefused("rates low=4000", "less than high (4000)");
        assertRefused("acks block=60", "at most half of seconds (15)");
        assertRefused("low-load block=7.6", "at most half of seconds (15)");
        assertRefused("producers linger=0.5", "0 to 1000, whole");
        assertRefused("acks rate=NaN", "1 to 31");
        assertRefused("acks rate=fast", "1 to 31");
        assertRefused("acks rate=32", "1 to 31");
    }

    private void assertRefused(String experimentAndParameter, String allowed) {
        String[] words = experimentAndParameter.split(" ");
        err.getBuffer().setLength(0);
        assertThat(run("run", words[0], "--param", words[1])).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("--param " + words[1] + " is not allowed; allowed: " + allowed + "\n");
    }

    @Test
    void whatIsMissingIsSaidWithHowToGetIt(@TempDir Path out) {
        assertThat(run("run", "slow-follower", "--out", out.toString())).isEqualTo(3);
        assertThat(err.toString())
                .contains("phasewise lab: no Kafka 4.4 in nowhere/")
                .contains("get it with: ./mvnw -pl lab/kafka-4.4 package");
    }

    @Test
    void helpNamesEveryStatus() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("0   done", "2   bad usage", "3   something needed is missing");
    }

    @Test
    void aClusterWhoseClientsCannotBeMadeIsRefused(@TempDir Path directory) throws IOException {
        Path properties = directory.resolve("client.properties");
        Files.writeString(properties, "security.protocol=NONE\n");
        assertThat(
                        run(
                                "run",
                                "acks",
                                "--bootstrap",
                                "127.0.0.1:1",
                                "--client-config",
                                properties.toString(),
                                "--out",
                                directory.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--client-config: refused: ").contains("NONE");
    }

    @Test
    void aReportThatCouldNotBeWrittenIsRefusedBeforeAnythingIsStarted(@TempDir Path directory)
            throws IOException {
        String file = Files.createFile(directory.resolve("file")).toString();
        for (String[] command :
                List.of(
                        new String[] {"run", "acks", "--out", file},
                        new String[] {"matrix", "--out", file + "/below"})) {
            err.getBuffer().setLength(0);
            assertThat(run(command)).isEqualTo(2);
            assertThat(err.toString())
                    .contains("--out: " + command[command.length - 1] + ": " + file)
                    .contains("is not a directory; allowed: a directory to write to")
                    .doesNotContain("starting");
        }
    }

    @Test
    void aReportInADirectoryThatTheSystemDoesNotMakeIsRefused() {
        assertThat(run("matrix", "--out", "/proc/lab-results")).isEqualTo(2);
        assertThat(err.toString()).contains("--out: /proc/lab-results: ");
    }

    @Test
    void anUnknownRowOfTheMatrixIsRefused(@TempDir Path out) throws Exception {
        Files.writeString(out.resolve("fault-matrix.json"), "{}");
        String[] renew = {"matrix", "--renew", "--row", "clock-steps", "--out", out.toString()};
        assertThat(run(renew)).isEqualTo(2);
        assertThat(err.toString()).contains("fault-matrix.json is no matrix: ", "'started'");
        assertThat(run("matrix", "--renew", "--out", "/nowhere/at/all")).isEqualTo(2);
        assertThat(err.toString()).contains("--renew: name the rows with --row");
        assertThat(run("matrix", "--renew", "--row", "clock-steps", "--out", "/nowhere/at/all"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--renew: there is no earlier run, /nowhere/at/all/");
        assertThat(run("matrix", "--only", "nonsense", "--plain", "1")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--row: no row nonsense; allowed: prometheus-restarts")
                .contains("--plain: 1; allowed: 2 to 600");
    }

    @Test
    void aCommandIsNeeded() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("which command? Allowed: list, run, matrix");
    }
}
