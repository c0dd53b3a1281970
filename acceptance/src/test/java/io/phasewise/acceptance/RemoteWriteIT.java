/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.eventually;
import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample prometheus/remote-write.yml carries floats and native histograms to a real receiver, a
 * second Prometheus; and to VictoriaMetrics, where that is installed, floats, those of an outage
 * included.
 */
class RemoteWriteIT {
    private static final String RULE =
            "groups: [{name: test, rules: [{record: 'test:up:sum', expr: sum(up)}]}]\n";

    /**
     * Carried by a rule and two scrapes; the last is empty unless the histogram is a native one.
     */
    private static final List<String> QUERIES =
            List.of(
                    "up{job=\"prometheus\"}",
                    "test:up:sum",
                    "histogram_count(prometheus_http_request_duration_seconds{handler=\"/metrics\"})");

    @Test
    void whatIsScrapedAndRecordedArrivesWithItsSender(@TempDir Path directory) throws Exception {
        try (PortLease lease = PortLease.take(2);
                ManagedProcess receiver =
                        Servers.prometheus(
                                directory.resolve("receiver"),
                                "global: {}\n",
                                lease.port(0),
                                "--web.enable-remote-write-receiver");
                ManagedProcess sender = sender(directory, lease.port(1), lease.port(0))) {
            assertThat(receiver.isAlive() && sender.isAlive()).isTrue();
            PrometheusClient client = PrometheusClient.open(ServerSpecs.url(lease.port(0)));
            eventually(
                    () -> {
                        for (String query : QUERIES) {
                            List<Sample> found = client.query(query);
                            assertThat(found).as(query).hasSize(1);
                            assertThat(found.get(0).value()).as(query).isPositive();
                            assertThat(found.get(0).labels())
                                    .as(query)
                                    .containsEntry("replica", "a")
                                    .containsEntry("prometheus_cluster", "kafka");
                        }
                    });
        }
    }

    @Test
    void nothingIsMissingAfterAnOutageOfTheStore(@TempDir Path directory) throws Exception {
        Command.assumeOnPath("victoria-metrics");
        try (PortLease lease = PortLease.take(2)) {
            String store = ServerSpecs.url(lease.port(0)).toString();
            String sender = ServerSpecs.url(lease.port(1)).toString();
            try (ManagedProcess first = victoria(directory, lease.port(0));
                    ManagedProcess prometheus = sender(directory, lease.port(1), lease.port(0))) {
                assertThat(prometheus.isAlive()).isTrue();
                patiently().alias("samples arrive").until(() -> stored(store).size() >= 5);
                first.stop(Duration.ofSeconds(20));
                int before = scraped(sender).size();
                patiently()
                        .alias("an outage of 20 scrapes")
                        .until(() -> scraped(sender).size() >= before + 20);
                long back = System.currentTimeMillis();
                try (ManagedProcess again = victoria(directory, lease.port(0))) {
                    assertThat(again.isAlive()).isTrue();
                    patiently()
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
            }
        }
    }

    private static long last(List<Long> timestamps) {
        return timestamps.isEmpty() ? 0 : timestamps.get(timestamps.size() - 1);
    }

    private static ManagedProcess victoria(Path directory, int port) throws IOException {
        List<String> command =
                List.of(
                        "victoria-metrics",
                        "-httpListenAddr=127.0.0.1:" + port,
                        "-storageDataPath=" + directory.resolve("victoria"),
                        "-retentionPeriod=1d");
        Path log = directory.resolve("victoria.log");
        return Servers.start(
                new ProcessSpec("victoria-metrics", command, Map.of(), directory, log),
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

    /** By the sample, its address replaced, after a scrape of itself and a rule. */
    private static ManagedProcess sender(Path directory, int own, int receiver) throws Exception {
        String sample =
                Repository.text("prometheus/remote-write.yml")
                        .replaceFirst(
                                "- url: .*",
                                "- url: " + ServerSpecs.url(receiver) + "/api/v1/write");
        assertThat(sample).contains("global:\n");
        String configuration =
                sample.replace(
                                "global:\n",
                                """
                                global:
                                  scrape_interval: 250ms
                                  scrape_timeout: 250ms
                                  evaluation_interval: 250ms
                                  scrape_native_histograms: true
                                """)
                        + """
                        rule_files: [rule.yml]
                        scrape_configs:
                          - job_name: prometheus
                            static_configs: [{targets: ['127.0.0.1:%d']}]
                        """
                                .formatted(own);
        Path home = Files.createDirectories(directory.resolve("sender"));
        Files.writeString(home.resolve("rule.yml"), RULE);
        return Servers.prometheus(home, configuration, own);
    }
}
