/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.kafka.StrangePort;
import io.phasewise.lab.junit.CommandReference;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line but for what needs a process: CommandLineIT. */
class MainTest {
    @TempDir
    private Path directory;

    private final StringWriter said = new StringWriter();

    private Main.Surroundings surroundings = new Main.Surroundings(Map.of(), Optional.empty(), "127.0.0.1");

    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        CommandReference.holds(Main.commandLine(surroundings));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--config", "--check-config", "--remove"})
    void badConfigurationEndsWithCodeTwoAndEveryFault(String option) throws Exception {
        String file = config("b: {bootstrap-servers: 'b:1', probe: {rate: fast, colour: red}}", 0);
        assertThat(run(option, file)).isEqualTo(2);
        assertThat(said.toString())
                .contains("canary.clusters.b.probe.rate: \"fast\" is not a number; allowed: 0.1")
                .contains("canary.clusters.b.probe.colour: is not a known key; allowed here: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--config", "--check-config"})
    void aStateFileWhoseDirectoryIsMissingEndsWithCodeTwo(String option) throws Exception {
        Path state = directory.resolve("missing").resolve("state");
        Path file = Files.writeString(
                directory.resolve("canary.yml"),
                "canary:\n  state-file: '%s'\n  http: {port: 0}\n  clusters: {a: {bootstrap-servers: 'b:1'}}\n"
                        .formatted(state));
        assertThat(run(option, file.toString())).isEqualTo(2);
        assertThat(said.toString())
                .contains("canary.state-file: \"" + state + "\" is not allowed; allowed: a file in a directory that is"
                        + " there, and that the canary may write to");
        assertThat(state.getParent()).doesNotExist();
    }

    @Test
    void aSoundFileIsCalledSoundWithWhatItWillDo() throws Exception {
        String file = config("a: {bootstrap-servers: 'b:1'}", 0);
        assertThat(run("--check-config", file)).isZero();
        assertThat(said)
                .hasToString(file
                        + ": sound\ncluster a: topic phasewise-canary: may create"
                        + " it, add partitions, move its replicas, elect preferred"
                        + " leaders, alter its settings; for each broker 20 probes"
                        + " a second of 1024 bytes: a day 2.0 GB written, 6.1 GB"
                        + " with all replicas, 2.0 GB read\n");
    }

    @Test
    void whatNoClientKnowsIsSaidBesideSound() throws Exception {
        String file = config("a: {bootstrap-servers: 'b:1', client: {my.plugin.level: 3}}", 0);
        assertThat(run("--check-config", file)).isZero();
        assertThat(said.toString())
                .startsWith(file + ": sound, but look at this:\n  canary.clusters.a.client.my.plugin.level: no Kafka"
                        + " client knows this property; passed on as it is\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--config --connect", "--config --execute", "--remove --connect", "--check-config --execute"})
    void anOptionOfAnotherCommandIsBadUsage(String options) throws Exception {
        String file = config("a: {bootstrap-servers: 'b:1'}", 0);
        String[] both = options.split(" ");
        assertThat(run(both[0], file, both[1])).isEqualTo(2);
        assertThat(said.toString()).contains(both[1]);
    }

    @Test
    void withConnectAClusterThatDoesNotAnswerEndsWithCodeOneAndIsNamed() throws Exception {
        String file = config(
                "a: {bootstrap-servers: '127.0.0.1:1', admin: {default.api.timeout.ms: 600, request.timeout.ms: 500}}",
                0);
        assertThat(run("--check-config", file, "--connect")).isEqualTo(1);
        assertThat(said.toString()).contains("cluster a, at 127.0.0.1:1\n").contains("not asked: ");
    }

    @Test
    void removingNamesAPortThatIsNotWhatItShouldBeAndGoesOnWithTheNextCluster() throws Exception {
        try (StrangePort tls = new StrangePort(StrangePort.Kind.TLS_ALERT);
                StrangePort http = new StrangePort(StrangePort.Kind.HTTP)) {
            String file = config(
                    "a: {bootstrap-servers: '%s'}, b: {bootstrap-servers: '%s', client: {security.protocol: SSL}}"
                            .formatted(tls.address(), http.address()),
                    0);
            assertThat(run("--check-config", file, "--connect")).isEqualTo(1);
            assertThat(said.toString())
                    .contains("not asked: " + tls.address()
                            + " speaks TLS: set client.security.protocol to SSL or SASL_SSL");
            assertThat(run("--remove", file)).isEqualTo(1);
            assertThat(said.toString())
                    .contains("cluster a: " + tls.address()
                            + " speaks TLS: set client.security.protocol to SSL or SASL_SSL")
                    .contains("cluster b: " + http.address() + " is no Kafka broker: it answers HTTP");
        }
    }

    @Test
    void withoutAnyConfigurationOneToStartFromIsPrintedAndIsSound() throws Exception {
        StringWriter out = new StringWriter();
        CommandLine line =
                Main.commandLine(surroundings).setOut(new PrintWriter(out)).setErr(new PrintWriter(said));

        assertThat(line.execute()).isZero();

        assertThat(said.toString()).contains("no configuration", "CANARY_CLUSTERS_PROD_BOOTSTRAP_SERVERS=");
        Path kept = Files.writeString(directory.resolve("printed.yml"), out.toString());
        assertThat(run("--check-config", kept.toString())).isZero();
    }

    @Test
    void environmentVariablesAloneSuffice() {
        given(
                Map.of("CANARY_CLUSTERS_EAST_BOOTSTRAP_SERVERS", "b:1", "CANARY_CLUSTERS_EAST_PROBE_RATE", "7"),
                "canary.yml");

        assertThat(run("--check-config")).isZero();

        assertThat(said.toString())
                .startsWith("environment variables: sound\ncluster east: topic phasewise-canary:")
                .contains("for each broker 7 probes a second");
    }

    /** The port is taken only where the canary listens as the surroundings say: on the last address of the loopback. */
    @Test
    void withVariablesAloneTheCanaryListensWhereTheSurroundingsSay() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.9"))) {
            String port = String.valueOf(taken.getLocalPort());
            given(
                    Map.of("CANARY_CLUSTERS_EAST_BOOTSTRAP_SERVERS", "127.0.0.1:1", "CANARY_HTTP_PORT", port),
                    "absent.yml");

            assertThat(run()).isEqualTo(1);
            assertThat(said.toString()).contains("cannot listen on 127.0.0.9:" + port);
        }
    }

    @Test
    void theFileThatTheImageNamesIsTakenWhereItExists() throws Exception {
        String file = config("a: {bootstrap-servers: 'b:1', colour: red}", 0);
        given(Map.of("CANARY_CLUSTERS_EAST_BOOTSTRAP_SERVERS", "b:1"), file);

        assertThat(run()).isEqualTo(2);
        assertThat(run("--check-config")).isEqualTo(2);
        assertThat(run("--remove")).isEqualTo(2);

        assertThat(said.toString().lines()).hasSize(3).allMatch(line -> line.contains("canary.clusters.a.colour"));
    }

    @Test
    void checkingWhatIsNotThereSaysThatAClusterIsMissing() {
        assertThat(run("--check-config")).isEqualTo(2);
        assertThat(said.toString()).contains("canary.clusters: is missing; name at least one cluster");
    }

    @Test
    void anOptionThatThereIsNotIsBadUsage() {
        assertThat(run("--colour")).isEqualTo(2);
        assertThat(said.toString().lines())
                .satisfiesExactly(
                        fault -> assertThat(fault).startsWith("phasewise-canary: Unknown option: '--colour'"),
                        allowed -> assertThat(allowed)
                                .isEqualTo(
                                        "phasewise-canary: allowed: --config FILE, --check-config [FILE] [--connect],"
                                                + " --remove [FILE] [--execute], or nothing"),
                        hint -> assertThat(hint).isEqualTo("phasewise-canary --help says what is allowed"));
    }

    /** Kafka's own message, "Failed to create new KafkaAdminClient", names neither the host nor DNS. */
    @Test
    void aHostThatDnsDoesNotKnowIsNamed() throws Exception {
        String file = config("a: {bootstrap-servers: 'kafka.invalid:9092'}", 0);
        String unknown = "kafka.invalid:9092: the host is not known here (DNS, /etc/hosts)";

        assertThat(run("--remove", file)).isEqualTo(1);
        assertThat(run("--check-config", file, "--connect")).isEqualTo(1);

        assertThat(said.toString())
                .contains("cluster a: " + unknown, "not asked: " + unknown)
                .doesNotContain("KafkaAdminClient");
    }

    @Test
    void aTakenPortEndsWithCodeOne() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            assertThat(run("--config", config("a: {bootstrap-servers: '127.0.0.1:1'}", port)))
                    .isEqualTo(1);
            assertThat(said.toString()).contains("cannot listen on 127.0.0.1:" + port, "canary.http.port");
        }
    }

    private void given(Map<String, String> environment, String file) {
        surroundings = new Main.Surroundings(environment, Optional.of(directory.resolve(file)), "127.0.0.9");
    }

    private String config(String cluster, int port) throws IOException {
        String yaml = "canary: {http: {port: %d}, clusters: {%s}}".formatted(port, cluster);
        return Files.writeString(directory.resolve("canary.yml"), yaml).toString();
    }

    private int run(String... arguments) {
        PrintWriter to = new PrintWriter(said, true);
        CommandLine line = Main.commandLine(surroundings).setOut(to).setErr(to);
        return line.execute(arguments);
    }
}
