/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.common.stack.LocalStack;
import io.phasewise.lab.junit.CommandReference;
import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.stack.Component;
import io.phasewise.lab.stack.ComponentKind;
import io.phasewise.lab.stack.Context;
import io.phasewise.lab.stack.RunningComponent;
import io.phasewise.lab.stack.Samples;
import io.phasewise.lab.stack.StackPorts;
import io.phasewise.lab.stack.StackState;
import io.phasewise.lab.stack.StateDirectory;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    private int run(Map<String, String> environment, String... arguments) {
        return Main.run(context(environment), () -> false, new PrintWriter(err, true), arguments);
    }

    private Context context(Map<String, String> environment) {
        return Samples.context(directory, environment, out);
    }

    @Test
    void theReferenceSaysWhatTheHelpSays() throws Exception {
        CommandReference.holds(Main.commands(context(Map.of())));
    }

    private int run(String... arguments) {
        return run(Map.of(), arguments);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                            | Missing required subcommand
                    start                         | start
                    up --port-offset x            | --port-offset
                    up --port-offset -1           | -1; allowed: 0 to 46438
                    up --port-offset 50000        | 50000; allowed: 0 to 46438
                    up --controllers 4            | --controllers: 4; allowed: 0 to 3
                    up now                        | now
                    logs                          | COMPONENT
                    logs zookeeper                | allowed: broker-1, broker-2, broker-3, controller-1
                    logs canary -n -1             | --lines: -1; allowed: 0 to 100000
                    logs canary -n many           | --lines
                    receiver --port 70000         | --port: 70000; allowed: 0 to 65535
                    receiver --port nine          | --port
                    receiver --tls a.pem          | --tls, --user, --password-file: all three or none are allowed
                    receiver --tls no --user a:b --password-file no | --user: a name without a colon is allowed
                    receiver --tls no --user a --password-file no   | --tls: no is not there
                    """)
    void badUsageIsRefusedWithWhatIsAllowed(String line, String message) {
        int status = line.isEmpty() ? run() : run(line.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).contains("phasewise: ", message).doesNotContain("Error:");
        assertThat(out()).isEmpty();
        if (line.isEmpty()) {
            assertThat(err.toString()).contains("Usage:", "demote");
            return;
        }
        assertThat(err.toString()).doesNotContain("Usage:");
        assertThat(err.toString().lines())
                .hasSizeLessThanOrEqualTo(3)
                .last()
                .asString()
                .endsWith("--help says what is allowed");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', COMMAND",
        "up, 0 to 46438",
        "up, 0 to 3:",
        "logs, 0 to 100000",
        "receiver, the last 200 ",
    })
    void everyCommandExplainsItselfAndItsBounds(String command, String words) {
        assertThat(run((command + " --help").strip().split(" "))).isZero();
        assertThat(out().replaceAll("\\s+", " ")).startsWith("Usage: phasewise").contains(words);
    }

    @Test
    void theVersionIsPrinted() {
        assertThat(run("--version")).isZero();
        assertThat(out()).startsWith("phasewise ");
    }

    @Test
    void whatIsNotBuiltIsMissingAndSaidHowToGet() {
        assertThat(run("up")).isEqualTo(3);
        assertThat(err.toString()).contains("phasewise-canary.jar", "./phasewise");
    }

    @Test
    void nothingRunningIsNoErrorForDownAndSaidByStatus() {
        assertThat(run("status")).isEqualTo(3);
        assertThat(run("down")).isZero();
        assertThat(run("down", "--purge")).isZero();
        assertThat(out()).contains("Nothing is running in " + directory.resolve("root/.phasewise"));
        assertThat(directory.resolve("root")).doesNotExist();
    }

    @Test
    void statusAsJsonIsAnEmptyListWhenNothingRuns() {
        assertThat(run("status", "--json")).isEqualTo(3);
        assertThat(out().replaceAll("\\s", "")).isEqualTo("{\"components\":[]}");
    }

    @Test
    void statusEndsWithOneWhereSomethingIsDown() throws Exception {
        StateDirectory state = new StateDirectory(new LocalStack(directory.resolve("state")));
        Component component = new Component("prometheus", ComponentKind.PROMETHEUS, 9090, 9090);
        // A pid that Linux gives to nobody: no server is asked.
        ProcessIdentity gone = new ProcessIdentity((1L << 22) + 1, Instant.EPOCH);
        List<RunningComponent> components = List.of(new RunningComponent(component, gone, Path.of("x.log")));
        state.prepare();
        state.write(new StackState(new StackPorts(0, 0), false, components));

        assertThat(run("status", "--state-dir", "state")).isEqualTo(1);
        assertThat(run("status", "--state-dir", "state", "--json")).isEqualTo(1);
        assertThat(out()).contains("prometheus", "its process is gone");
    }

    @Test
    void theOptionNamesTheStateDirectoryBeforeTheVariable() {
        Map<String, String> environment = Map.of("PHASEWISE_STATE_DIR", "from-variable");

        run(environment, "status");
        run(environment, "status", "--state-dir", "from-option");

        assertThat(out())
                .contains(
                        directory.resolve("from-variable").toString(),
                        directory.resolve("from-option").toString());
    }

    @Test
    void logsShowsTheEndOfALog() throws Exception {
        Path logs = Files.createDirectories(directory.resolve("state/logs"));
        Files.writeString(logs.resolve("canary.log"), "one\ntwo\nthree\n");

        assertThat(run("logs", "canary", "-n", "2", "--state-dir", "state")).isZero();

        assertThat(out()).isEqualTo("two\nthree\n");
    }

    @Test
    void logsFollowsALogAndTheLogOfTheNextRun() throws Exception {
        Path logs = Files.createDirectories(directory.resolve("state/logs"));
        Path log = Files.writeString(logs.resolve("canary.log"), "one\ntwo\n");
        Thread follower = new Thread(() -> run("logs", "canary", "-n", "1", "-f", "--state-dir", "state"));
        follower.start();
        try {
            awaitOutput("two\n");
            Files.writeString(log, "three\n", StandardOpenOption.APPEND);
            awaitOutput("two\nthree\n");
            Files.move(log, logs.resolve("canary.log.1"));
            Files.writeString(log, "again, and longer than before\n");
            awaitOutput("two\nthree\nagain, and longer than before\n");
        } finally {
            follower.interrupt();
            follower.join(Duration.ofSeconds(10).toMillis());
        }
        assertThat(follower.isAlive()).isFalse();
    }

    private void awaitOutput(String expected) {
        await().atMost(Duration.ofSeconds(20)).until(() -> out().equals(expected));
    }

    @Test
    void aComponentThatWasNeverStartedHasNoLog() {
        assertThat(run("logs", "grafana")).isEqualTo(1);
        assertThat(err.toString()).contains("grafana has no log");
    }
}
