/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample prometheus/remote-write.yml carries floats and native histograms to a real receiver, a
 * second Prometheus; and to VictoriaMetrics, where that is installed, floats, those of an outage
 * included.
 */
class RemoteWriteIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path root = Path.of(System.getProperty("phasewise.root"));

    @Test
    void whatIsScrapedAndRecordedArrivesWithItsSender(@TempDir Path directory) throws Exception {
        ServerInstallation installation = Servers.get(root, ServerKind.PROMETHEUS);
        try (PortLease lease = PortLease.take(2);
                ManagedProcess receiver =
                        start(
                                installation,
                                directory.resolve("receiver"),
                                "global: {}\n",
                                lease.port(0),
                                "--web.enable-remote-write-receiver");
                ManagedProcess sender =
                        start(
                                installation,
                                directory.resolve("sender"),
                                configuration(lease.port(1), lease.port(0)),
                                lease.port(1))) {
            assertThat(receiver.isAlive() && sender.isAlive()).isTrue();
            PrometheusClient client = PrometheusClient.open(ServerSpecs.url(lease.port(0)));
            patiently(PATIENCE)
                    .untilAsserted(
                            () -> {
                                for (String query :
                                        List.of(
                                                "up{job=\"prometheus\"}",
                                                "test:up:sum",
                                                // Empty unless the histogram is a native one.
                                                "histogram_count(prometheus_http_request_duration_seconds{handler=\"/metrics\"})")) {
                                    assertThat(client.query(query))
                                            .as(query)
                                            .singleElement()
                                            .satisfies(
                                                    sample -> {
                                                        assertThat(sample.value()).isPositive();
                                                        assertThat(sample.labels())
                                                                .containsEntry("replica", "a")
                                                                .containsEntry(
                                                                        "prometheus_cluster",
                                                                        "kafka");
                                                    });
                                }
                            });
        }
    }

    @Test
    void nothingIsMissingAfterAnOutageOfTheStore(@TempDir Path directory) throws Exception {
        Optional<Path> program = Programs.find("victoria-metrics", System.getenv("PATH"));
        Assumptions.assumeTrue(
                program.isPresent(),
                "no victoria-metrics on PATH (Debian package victoria-metrics)");
        ServerInstallation installation = Servers.get(root, ServerKind.PROMETHEUS);
        try (PortLease lease = PortLease.take(2)) {
            String store = ServerSpecs.url(lease.port(0)).toString();
            String sender = ServerSpecs.url(lease.port(1)).toString();
            ManagedProcess first = victoria(program.get(), directory, lease.port(0));
            try (ManagedProcess prometheus =
                    start(
                            installation,
                            directory.resolve("sender"),
                            configuration(lease.port(1), lease.port(0)),
                            lease.port(1))) {
                assertThat(prometheus.isAlive()).isTrue();
                patiently(PATIENCE).alias("samples arrive").until(() -> stored(store).size() >= 5);
                first.stop(Duration.ofSeconds(20));
                int before = scraped(sender).size();
                patiently(PATIENCE)
                        .alias("an outage of 20 scrapes")
                        .until(() -> scraped(sender).size() >= before + 20);
                long back = System.currentTimeMillis();
                try (ManagedProcess again = victoria(program.get(), directory, lease.port(0))) {
                    assertThat(again.isAlive()).isTrue();
                    patiently(PATIENCE)
                            .alias("what came after the outage is there")
                            .until(() -> last(stored(store)) > back);
                    List<Long> arrived = stored(store);
                    List<Long> sent =
                            scraped(sender).stream()
                                    .filter(at -> at >= arrived.get(0) && at <= last(arrived))
                                    .toList();
                    assertThat(arrived).as("samples in the store").isEqualTo(sent);
                    // What is thrown away need not end in order.
                    again.stop(Duration.ZERO);
                }
            } finally {
                first.close();
            }
        }
    }

    private static long last(List<Long> timestamps) {
        return timestamps.isEmpty() ? 0 : timestamps.get(timestamps.size() - 1);
    }

    private static ManagedProcess victoria(Path program, Path directory, int port)
            throws IOException {
        return Servers.start(
                new ProcessSpec(
                        "victoria-metrics",
                        List.of(
                                program.toString(),
                                "-httpListenAddr=127.0.0.1:" + port,
                                "-storageDataPath=" + directory.resolve("victoria"),
                                "-retentionPeriod=1d"),
                        Map.of(),
                        directory,
                        directory.resolve("victoria.log")),
                ServerSpecs.url(port).resolve("/health"));
    }

    /** When the store's samples of {@code up} were taken, milliseconds. */
    private static List<Long> stored(String store) throws IOException {
        List<Long> timestamps = new ArrayList<>();
        String lines =
                new Http().text(store + "/api/v1/export?match%5B%5D=up%7Bjob=%22prometheus%22%7D");
        for (String line : lines.lines().toList()) {
            new ObjectMapper()
                    .readTree(line)
                    .get("timestamps")
                    .forEach(at -> timestamps.add(at.asLong()));
        }
        Collections.sort(timestamps);
        return timestamps;
    }

    /** When the sender's own were. */
    private static List<Long> scraped(String sender) throws IOException {
        List<Long> timestamps = new ArrayList<>();
        new Http()
                .json(sender + "/api/v1/query?query=up%7Bjob=%22prometheus%22%7D%5B10m%5D")
                .at("/data/result/0/values")
                .forEach(value -> timestamps.add(Math.round(value.get(0).asDouble() * 1000)));
        return timestamps;
    }

    /** The sample, its address replaced, after a scrape of itself and a rule. */
    private String configuration(int own, int receiver) throws IOException {
        String sample =
                Files.readString(root.resolve("prometheus/remote-write.yml"))
                        .replaceFirst(
                                "- url: .*",
                                "- url: " + ServerSpecs.url(receiver) + "/api/v1/write");
        assertThat(sample).contains("global:\n");
        return sample.replace(
                        "global:\n",
                        "global:\n"
                                + "  scrape_interval: 250ms\n"
                                + "  scrape_timeout: 250ms\n"
                                + "  evaluation_interval: 250ms\n"
                                + "  scrape_native_histograms: true\n")
                + "rule_files: [rule.yml]\n"
                + "scrape_configs:\n"
                + "  - job_name: prometheus\n"
                + "    static_configs: [{targets: ['127.0.0.1:"
                + own
                + "']}]\n";
    }

    private static ManagedProcess start(
            ServerInstallation installation,
            Path home,
            String configuration,
            int port,
            String... more)
            throws IOException {
        Files.createDirectories(home);
        Files.writeString(
                home.resolve("rule.yml"),
                "groups: [{name: test, rules: [{record: 'test:up:sum', expr: sum(up)}]}]\n");
        return Servers.start(
                ServerSpecs.prometheus(
                        installation,
                        Files.writeString(home.resolve("prometheus.yml"), configuration),
                        home.resolve("data"),
                        port,
                        home.resolve("log")),
                ServerSpecs.ready(port),
                more);
    }
}
