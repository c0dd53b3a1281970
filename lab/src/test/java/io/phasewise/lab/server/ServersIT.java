/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.Probes;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real Prometheus and Alertmanager: they run as told, and one scrapes the other. */
class ServersIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir Path directory;

    @Test
    void prometheusAndAlertmanagerBecomeReadyAndAnswerQueries() throws Exception {
        ServerInstallation prometheus = get(ServerKind.PROMETHEUS);
        ServerInstallation alertmanager = get(ServerKind.ALERTMANAGER);
        HttpClient http = HttpClient.newHttpClient();
        try (PortLease ports = PortLease.take(2);
                ManagedProcess alerting =
                        ManagedProcess.start(
                                ServerSpecs.alertmanager(
                                        alertmanager,
                                        alertmanagerConfiguration(),
                                        directory.resolve("alertmanager"),
                                        ports.port(1),
                                        directory.resolve("alertmanager.log")));
                ManagedProcess monitoring =
                        ManagedProcess.start(
                                ServerSpecs.prometheus(
                                        prometheus,
                                        prometheusConfiguration(ports.port(1)),
                                        directory.resolve("prometheus"),
                                        ports.port(0),
                                        directory.resolve("prometheus.log")))) {
            Await.that("Alertmanager is ready", BOUND)
                    .needing(alerting)
                    .until(Probes.answers(http, ServerSpecs.ready(ports.port(1))));
            Await.that("Prometheus is ready", BOUND)
                    .needing(monitoring)
                    .until(Probes.answers(http, ServerSpecs.ready(ports.port(0))));
            PrometheusClient client = PrometheusClient.open(ServerSpecs.url(ports.port(0)));
            Await.that("Prometheus scrapes Alertmanager", BOUND)
                    .needing(monitoring, alerting)
                    .until(
                            () -> client.query("up{job=\"alertmanager\"} == 1").size() == 1,
                            () -> client.data("targets").toString());
            assertThat(monitoring.stop(BOUND)).isEqualTo(ManagedProcess.Ending.STOPPED);
            assertThat(alerting.stop(BOUND)).isEqualTo(ManagedProcess.Ending.STOPPED);
        }
    }

    private static ServerInstallation get(ServerKind kind) throws InterruptedException {
        return ServerProvider.forUser(ROOT, System.getenv()).findOrBuild(kind, line -> {});
    }

    private Path prometheusConfiguration(int alertmanagerPort) throws Exception {
        return Files.writeString(
                directory.resolve("prometheus.yml"),
                """
                global: {scrape_interval: 1s, scrape_native_histograms: true}
                scrape_configs:
                  - job_name: alertmanager
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                """
                        .formatted(alertmanagerPort));
    }

    private Path alertmanagerConfiguration() throws Exception {
        return Files.writeString(
                directory.resolve("alertmanager.yml"),
                "route: {receiver: nobody}\nreceivers: [{name: nobody}]\n");
    }
}
