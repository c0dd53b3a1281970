/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.kafka.StrangePort;
import io.phasewise.lab.junit.CommandReference;
import io.phasewise.ops.prometheus.FakePrometheus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {

    private static final String NOWHERE = "--bootstrap-server=127.0.0.1:1";

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(
                context(),
                () -> false,
                new PrintWriter(out, true, StandardCharsets.UTF_8),
                new PrintWriter(err, true),
                arguments);
    }

    private Context context() {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Screen screen = new Screen(stream, Terminal.plain());
        return new Context(
                directory,
                directory,
                Map.of(),
                "./phasewise",
                screen,
                InstantSource.system(),
                System::nanoTime,
                time -> {});
    }

    @Test
    void theReferenceSaysWhatTheHelpSays() throws Exception {
        CommandLine commands = Main.commands(context());
        // Has a part of its own: ReportCommandTest.
        commands.getCommandSpec().removeSubcommand("report");

        CommandReference.holdsBelow(commands, "clusters");
    }

    @Test
    void itsHelpNamesEachCommand() {
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("\n  demote ", "\n  telemetry ", "\n  pause ", "\n  resume ", "\n  report ");
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                            | Missing required subcommand
                    demote --execute              | BROKER: give the broker id: the suspect can change
                    demote --revert               | BROKER: give the broker id: the suspect can change
                    demote two                    | is not an int
                    demote -- -1                  | BROKER: must be 0 or more, was -1
                    demote 1 --execute --revert   | phasewise: --execute, --revert are mutually exclusive
                    demote 1 --keep (             | is not a regular expression
                    demote 1 --window 59          | --window: 59; allowed: 60 to 3600
                    demote 1 --prometheus here    | --prometheus: 'here': allowed is http://
                    demote 1 --prometheus http://u:secret@h | --prometheus: there is a user in it; allowed is
                    demote 1 --revert             | there is no
                    demote 1 --command-config no  | --command-config: there is no file no
                    demote 1 --bootstrap-server h | --bootstrap-server: h: allowed is HOST:PORT
                    telemetry                     | allowed: enable, show, disable
                    telemetry start               | start
                    telemetry enable --interval 0 | --interval: 0; allowed: 1 to 3600
                    telemetry enable --match id=a | WHAT one of client_instance_id, client_id
                    telemetry enable --match client_id=( | is not a regular expression
                    telemetry enable --match client_id=a{1,2} | allows no comma
                    telemetry enable --match client_id=(?=a).* | allows no comma and no =
                    telemetry enable --match client_software_name=a | allowed is WHAT=REGEX with WHAT one of client_instance_id
                    telemetry disable --command-config no | --command-config: there is no file no
                    telemetry show --bootstrap-server h | --bootstrap-server: h: allowed is HOST:PORT
                    resume now                    | now
                    """)
    void badUsageIsRefusedWithWhatIsAllowed(String line, String message) {
        int status = line.isEmpty() ? run() : run(line.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).contains(message).doesNotContain("Error:", "secret", "Exception");
        assertThat(out()).isEmpty();
    }

    /** Nothing is wrong with the command line. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    demote         | no local stack runs; say --bootstrap-server
                    demote 1       | no local stack runs; say --bootstrap-server
                    telemetry show | no local stack runs; say --bootstrap-server
                    pause          | no stack was ever started in
                    resume         | no stack was ever started in
                    """)
    void aMissingStackIsSaidWithHowToGetOne(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(3);
        assertThat(err.toString()).contains(message, "`./phasewise up`");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demote 1", "telemetry show"})
    void aHostThatIsNotKnownIsNamed(String command) {
        String nowhere = "nosuchhost.invalid:9092";

        assertThat(run((command + " --bootstrap-server " + nowhere).split(" "))).isEqualTo(1);
        assertThat(err.toString()).contains(nowhere + ": the host is not known here (DNS");
    }

    @Test
    void whatKafkaRefusesOfAClientsPropertiesIsSaid() throws Exception {
        Files.writeString(directory.resolve("client"), "security.protocol=SSL\nssl.truststore.location=/nosuch\n");

        assertThat(run("demote", "1", "--command-config=client", NOWHERE)).isEqualTo(2);
        assertThat(err.toString()).contains("--command-config: ", "/nosuch");
    }

    @Test
    void withoutABrokerOrAPrometheusNobodyIsDemoted() {
        assertThat(run("demote", NOWHERE)).isEqualTo(2);
        assertThat(out()).contains("nobody can be named: --prometheus URL says where");
    }

    @Test
    void withoutABrokerTheSuspectIsTakenAndNamed() throws Exception {
        Files.writeString(directory.resolve("client"), "default.api.timeout.ms=100\nrequest.timeout.ms=100\n");
        try (FakePrometheus prometheus = new FakePrometheus()) {
            prometheus.vector("group by (cluster)", "{\"cluster\":\"local\"} 1");
            String[] line = {"demote", "--command-config=client", "--prometheus=" + prometheus.url(), NOWHERE};

            assertThat(run(line)).isEqualTo(2);
            assertThat(out()).contains("kafka_suspect names no broker now");

            prometheus.vector("kafka_suspect", "{\"broker\":\"3\",\"who\":\"Broker 3, its disk\"} 0.4");

            // It goes on with that broker, and there is no cluster behind that address.
            assertThat(run(line)).isEqualTo(1);
            assertThat(out()).contains("Suspect: Broker 3, its disk. A probe waits 400.0 ms longer");
            assertThat(err.toString()).contains("cannot list the topics");
        }
    }

    @Test
    void ofSeveralClustersOneIsToBeSaid() throws Exception {
        try (FakePrometheus prometheus = new FakePrometheus()) {
            prometheus.vector("group by (cluster)", "{\"cluster\":\"east\"} 1", "{\"cluster\":\"west\"} 1");
            String[] line = {"demote", "1", NOWHERE, "--prometheus=" + prometheus.url()};

            assertThat(run(line)).isEqualTo(2);
            assertThat(err.toString()).contains("--cluster: say which", "east, west");
        }
    }

    /** In the memory that a JVM of 128 MiB has, the first would end it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    telemetry show    | TLS_ALERT | speaks TLS: set security.protocol to SSL or SASL_SSL
                    telemetry enable  | TLS_ALERT | speaks TLS: set security.protocol to SSL or SASL_SSL
                    telemetry disable | HTTP      | is no Kafka broker: it answers HTTP
                    demote 1          | TLS_ALERT | speaks TLS: set security.protocol to SSL or SASL_SSL
                    """)
    void aPortThatIsNotWhatItShouldBeIsNamed(String line, StrangePort.Kind kind, String message) throws Exception {
        try (StrangePort port = new StrangePort(kind)) {
            assertThat(run((line + " --bootstrap-server " + port.address()).split(" ")))
                    .isEqualTo(1);
            assertThat(err.toString()).contains(port.address() + " " + message);
        }
    }

    @Test
    void pauseLeavesTheFileThatTheCanaryLooksForAndResumeTakesItAway() throws Exception {
        LocalStack stack = new LocalStack(directory.resolve(".phasewise"));
        Files.createDirectories(stack.directory());
        Files.writeString(stack.directory().resolve(LocalStack.MARKER), "");

        assertThat(run("pause")).isZero();
        assertThat(stack.pauseFile()).exists();

        assertThat(run("resume")).isZero();
        assertThat(stack.pauseFile()).doesNotExist();
    }
}
