/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.server.ServerSpecs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With the sample prometheus/remote-write.yml, floats and native histograms reach a real receiver,
 * a second Prometheus. Sending after an outage of the receiver is Prometheus's own feature, and not
 * tested.
 */
class RemoteWriteIT {
    private static final String RULE = "groups: [{name: test, rules: [{record: 'test:up:sum', expr: sum(up)}]}]\n";

    private static final String SCRAPED = "up{job=\"prometheus\"}";
    private static final String RECORDED = "test:up:sum";

    /** The native histogram; empty when it is not a native one. */
    private static final String HISTOGRAM =
            "histogram_count(prometheus_http_request_duration_seconds{handler=\"/metrics\"})";

    @Test
    void floatsAndHistogramsArriveInAPrometheusWithTheirSender(@TempDir Path directory) throws Exception {
        try (PortLease lease = PortLease.take(2);
                ManagedProcess receiver = TestServers.startPrometheus(
                        directory.resolve("receiver"),
                        "global: {}\n",
                        lease.port(0),
                        "--web.enable-remote-write-receiver");
                ManagedProcess sender = sender(directory, lease.port(1), lease.port(0))) {
            assertThat(List.of(receiver, sender)).allMatch(ManagedProcess::isAlive);
            PrometheusClient client = PrometheusClient.open(ServerSpecs.url(lease.port(0)));
            // It takes a rule and two scrapes.
            eventually(() -> {
                for (String query : List.of(SCRAPED, RECORDED, HISTOGRAM)) {
                    assertThat(client.query(query)).as(query).singleElement().satisfies(found -> {
                        assertThat(found.value()).isPositive();
                        assertThat(found.labels())
                                .containsEntry("replica", "a")
                                .containsEntry("prometheus_cluster", "kafka");
                    });
                }
            });
        }
    }

    /** The configuration: scrapes of itself, a rule, and the sample with its address replaced. */
    private static ManagedProcess sender(Path directory, int own, int receiver) throws Exception {
        String sample = Repository.text("prometheus/remote-write.yml")
                .replaceFirst("- url: .*", "- url: " + ServerSpecs.url(receiver) + "/api/v1/write");
        assertThat(sample).contains("global:\n");
        String configuration = sample.replace("global:\n", """
                                global:
                                  scrape_interval: 250ms
                                  scrape_timeout: 250ms
                                  evaluation_interval: 250ms
                                  scrape_native_histograms: true
                                """) + """
                        rule_files: [rule.yml]
                        scrape_configs:
                          - job_name: prometheus
                            static_configs: [{targets: ['127.0.0.1:%d']}]
                        """.formatted(own);
        Path home = Files.createDirectories(directory.resolve("sender"));
        Files.writeString(home.resolve("rule.yml"), RULE);
        return TestServers.startPrometheus(home, configuration, own);
    }
}
