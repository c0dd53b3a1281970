/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.server.PrometheusClient;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample prometheus/remote-write.yml carries floats and native histograms to a real receiver, a
 * second Prometheus. Stores of other makes are not tried here.
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
            PrometheusClient client =
                    new PrometheusClient(
                            ServerSpecs.url(lease.port(0)), HttpClient.newHttpClient());
            await().atMost(PATIENCE)
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
                                + "  scrape_interval: 1s\n"
                                + "  evaluation_interval: 1s\n"
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
