/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import static io.phasewise.exporter.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.prometheus.Access;
import io.phasewise.exporter.Patience;
import io.phasewise.exporter.QuickHash;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.tools.IdleTool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The endpoint of the agent from outside, and what becomes of bad input, in a JVM without Kafka.
 */
@Order(1)
class EndpointIT {

    @TempDir
    Path directory;

    @AutoClose
    private final PortLease ports = PortLease.take(1);

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void servesEachFormat() throws Exception {
        try (AgentProcess agent = start("")) {
            awaitHealthy(agent);

            HttpResponse<String> text = getAs("text/plain");
            assertThat(type(text)).startsWith("text/plain; version=0.0.4");
            assertThat(text.body())
                    .contains(
                            "kafka_exporter_config_error 0.0",
                            "kafka_exporter_scrape_errors_total 0.0",
                            "jvm_threads_current");
            String open = "application/openmetrics-text; version=1.0.0";
            assertThat(getAs(open).body()).endsWith("# EOF\n");
            String protobuf = "application/vnd.google.protobuf";
            String family = "; proto=io.prometheus.client.MetricFamily; encoding=delimited";
            assertThat(type(getAs(protobuf + family))).startsWith(protobuf);
            assertThat(get("/metrics").body()).doesNotContain("kafka_exporter_last_scrape_series 0.0");
        }
    }

    @Test
    void aJvmWithoutKafkaSaysSo() throws Exception {
        try (AgentProcess agent = start("")) {
            awaitHealthy(agent);

            assertThat(get("/metrics").body()).contains("kafka_exporter_kafka_node 0.0");
        }
    }

    /** The broker is down, somebody looks for the reason, and the broker comes back meanwhile. */
    @Test
    void aToolOfKafkasLeavesThePortToTheBroker() throws Exception {
        String argument = "127.0.0.1:" + ports.port(0);
        try (AgentProcess tool = AgentProcess.start(IdleTool.class.getName(), directory, argument)) {
            await("the tool runs")
                    .untilAsserted(() -> assertThat(tool.output())
                            .contains("main runs")
                            .anyMatch(line -> line.contains("IdleTool is a tool of Kafka's and no broker")));
            try (AgentProcess broker = AgentProcess.start(directory, argument)) {
                awaitHealthy(broker);
            }
            assertThat(tool.errors()).isEmpty();
        }
    }

    @Test
    void timingThatIsSwitchedOffHasNoHook() throws Exception {
        try (AgentProcess agent = start("timing: {enabled: false}")) {
            awaitHealthy(agent);

            assertThat(get("/metrics").body())
                    .contains("kafka_exporter_request_timing_active{kafka_version=\"unknown\"} 0.0")
                    .contains("hook=\"partition_changes\"")
                    .doesNotContain("hook=\"request_timing\"")
                    .doesNotContain("kafka_request_phase_seconds");
        }
    }

    @Test
    void anAgentThatIsLoadedTwiceHasHooksOnce() throws Exception {
        String first = "127.0.0.1:" + ports.port(0);
        try (AgentProcess agent = AgentProcess.start(directory, first, "127.0.0.1:0")) {
            awaitHealthy(agent);
            awaitSaid(agent, "loaded twice");
            awaitSaid(agent, "serving on");

            assertThat(agent.errors()).hasSize(1);
        }
    }

    @Test
    void aNewCertificateAndANewPasswordNeedNoRestart() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("test", Clock.systemUTC());
        TlsFiles.writeTrustPem(directory.resolve("ca.pem"), authority.certificate());
        CertificateAuthority.Issued first = authority.issueForThisHost("broker");
        CertificateAuthority.Issued second = authority.issueForThisHost("broker");
        Path pem = directory.resolve("broker.pem");
        TlsFiles.writeKeyPem(pem, first);
        try (AgentProcess agent = start(secured(QuickHash.ONE))) {
            awaitSaid(agent, "serving on");
            assertThat(read("one").statusCode()).isEqualTo(200);
            assertThat(read("one").body()).doesNotContain(QuickHash.ONE);
            assertThat(shown(read("one"))).isEqualTo(first.chain().get(0));

            Path next = directory.resolve("next");
            TlsFiles.writeKeyPem(next, second);
            Files.move(next, pem, StandardCopyOption.ATOMIC_MOVE);
            await("the new certificate is shown")
                    .until(() -> shown(read("one")).equals(second.chain().get(0)));

            Files.writeString(next, secured(QuickHash.TWO));
            Files.move(next, directory.resolve("exporter.yml"), StandardCopyOption.ATOMIC_MOVE);
            await("the new password is asked for").until(() -> read("two").statusCode() == 200);
            assertThat(read("one").statusCode()).isEqualTo(401);

            Files.writeString(pem, "neither key nor certificate");
            await("it says what it uses instead")
                    .until(() -> read("two").statusCode() == 200 && says(agent, "the earlier certificates"));
            HttpResponse<String> still = read("two");
            assertThat(shown(still)).isEqualTo(second.chain().get(0));
            assertThat(still.body()).contains("kafka_exporter_config_error 1.0");
            assertThat(agent.errors()).hasSize(1);
        }
    }

    private static String secured(String hash) {
        return "http: {tls: {certificate: broker.pem, key: broker.pem}, basic-auth: {username: me,"
                + (" password-hash: '" + hash + "'}}");
    }

    /** By a connection of its own: one that is there keeps its certificate. */
    private HttpResponse<String> read(String password) throws Exception {
        Optional<Path> trusted = Optional.of(directory.resolve("ca.pem"));
        HttpRequest.Builder request =
                request("https", "/metrics").header("Authorization", Access.basic("me", password));
        return Access.client(trusted, Optional.empty(), "").send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Certificate shown(HttpResponse<?> response) throws IOException {
        return response.sslSession().orElseThrow().getPeerCertificates()[0];
    }

    @Test
    void timingAndMarksAreSwitchedOffAndOnByTheFileAlone() throws Exception {
        try (AgentProcess agent = start("marks:\n  enabled: true\n")) {
            awaitHealthy(agent);
            awaitMarks(true);

            Files.writeString(directory.resolve("exporter.yml"), "marks:\n  enabled: false\n");
            awaitMarks(false);
            Files.writeString(directory.resolve("exporter.yml"), "timing:\n  enabled: false\n");
            awaitMarks(true);

            assertThat(get("/marks?after=x").statusCode()).isEqualTo(400);
            assertThat(agent.errors()).isEmpty();
        }
    }

    /** Where access is in doubt nothing else is shown. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{jmx: {rules: absent.yml}, topics: {tpo: 1}}' | jmx.rules: , topics.tpo: | true",
                "'http: {tls: {certificate: absent.pem, key: absent.pem}}'"
                        + " | http.tls.certificate: , is not there | false"
            })
    void aFaultIsOneErrorLineAndAMetricAndTheProgramRuns(String config, String faults, boolean rest) throws Exception {
        try (AgentProcess agent = start(config)) {
            awaitHealthy(agent);

            String page = get("/metrics").body();
            assertThat(page).contains("kafka_exporter_config_error 1.0");
            assertThat(page.contains("jvm_threads_current")).isEqualTo(rest);
            assertThat(agent.errors())
                    .singleElement()
                    .asString()
                    .contains("exporter.yml:1: ")
                    .contains(faults.split(", "));
            assertThat(agent.output()).contains("main runs");
        }
    }

    @Test
    void aTakenPortIsSaidOnceAndTakenWhenItIsFree() throws Exception {
        try (ServerSocket taken = new ServerSocket(ports.port(0));
                AgentProcess agent = start("")) {
            awaitSaid(agent, "cannot listen on 127.0.0.1:" + ports.port(0));
            assertThat(agent.output()).contains("main runs");
            taken.close();
            awaitHealthy(agent);
            assertThat(agent.errors()).hasSize(1);
        }
    }

    @Test
    void aMalformedAgentArgumentDoesNotKeepTheProgramFromRunning() throws Exception {
        try (AgentProcess agent = AgentProcess.start(directory, "nonsense")) {
            awaitSaid(agent, "[HOST:]PORT[:CONFIG_FILE]");
            awaitSaid(agent, "main runs");
            assertThat(agent.errors()).hasSize(1);
        }
    }

    @Test
    void aProgramThatEndsIsNotKeptAlive() throws Exception {
        try (ServerSocket taken = new ServerSocket(ports.port(0))) {
            String agent = AgentProcess.option("127.0.0.1:" + taken.getLocalPort());
            List<String> command = List.of(Programs.java(), agent, "-jar", AgentProcess.JAR.toString(), "--help");
            assertThat(CommandOutput.of(command, null, Patience.BOUND).status()).isZero();
        }
    }

    private AgentProcess start(String config) throws IOException {
        Path file = directory.resolve("exporter.yml");
        Files.writeString(file, config);
        return AgentProcess.start(directory, "127.0.0.1:" + ports.port(0) + ":" + file);
    }

    private void awaitHealthy(AgentProcess agent) {
        await("the endpoint is up")
                .ignoreExceptions()
                .until(() -> agent.isAlive() && get("/-/healthy").statusCode() == 200);
    }

    private void awaitMarks(boolean active) {
        await("marks").until(() -> get("/marks").body().contains(" active=" + active + " "));
    }

    private static void awaitSaid(AgentProcess agent, String text) {
        await("it says: " + text).until(() -> says(agent, text));
    }

    private static boolean says(AgentProcess agent, String text) throws IOException {
        return agent.output().stream().anyMatch(line -> line.contains(text));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request("http", path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> getAs(String format) throws IOException, InterruptedException {
        return http.send(
                request("http", "/metrics").header("Accept", format).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String type(HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    private HttpRequest.Builder request(String scheme, String path) {
        return HttpRequest.newBuilder(URI.create(scheme + "://127.0.0.1:" + ports.port(0) + path))
                .timeout(Patience.BOUND);
    }
}
