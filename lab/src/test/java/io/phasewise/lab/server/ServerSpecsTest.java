/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.phasewise.lab.process.ProcessSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How servers are run, seen as text. */
class ServerSpecsTest {

    private static final ServerInstallation SERVER =
            new ServerInstallation(
                    Path.of("/bin/server"), Path.of("/bin/tool"), new Version(3, 15, 0));

    @Test
    void prometheusListensOnLoopbackOnlyAndCanBeReloaded() {
        ProcessSpec spec =
                ServerSpecs.prometheus(
                        SERVER,
                        Path.of("/state/prometheus/prometheus.yml"),
                        Path.of("/state/data"),
                        9190,
                        Path.of("/state/logs/prometheus.log"));
        assertThat(spec.command())
                .startsWith("/bin/server")
                .contains(
                        "--config.file=/state/prometheus/prometheus.yml",
                        "--storage.tsdb.path=/state/data",
                        "--web.listen-address=127.0.0.1:9190",
                        "--web.external-url=http://127.0.0.1:9190",
                        "--web.enable-lifecycle");
    }

    @Test
    void alertmanagerListensOnLoopbackOnlyAndSeeksNoPeers() {
        ProcessSpec spec =
                ServerSpecs.alertmanager(
                        SERVER,
                        Path.of("/state/alertmanager.yml"),
                        Path.of("/state/data"),
                        9193,
                        Path.of("/state/logs/alertmanager.log"));
        assertThat(spec.command())
                .contains("--web.listen-address=127.0.0.1:9193", "--cluster.listen-address=");
    }

    @Test
    void nodeExporterListensOnLoopbackOnlyWithTheCollectorsOfDashboards() {
        ProcessSpec spec =
                ServerSpecs.nodeExporter(
                        SERVER,
                        Path.of("/state/node-exporter"),
                        9200,
                        Path.of("/state/logs/node-exporter.log"));
        assertThat(spec.command())
                .contains(
                        "--web.listen-address=127.0.0.1:9200",
                        "--collector.disable-defaults",
                        "--collector.cpu",
                        "--collector.diskstats");
    }

    @Test
    void grafanaLetsEverybodyLookAndNobodyIn() {
        ProcessSpec spec =
                ServerSpecs.grafana(
                        new GrafanaInstallation(
                                Path.of("/g/bin/grafana"), Path.of("/g"), new Version(13, 0, 0)),
                        Path.of("/repo/dashboards/provisioning"),
                        Path.of("/repo/dashboards/generated"),
                        ServerSpecs.url(9090),
                        Path.of("/state/grafana"),
                        3000,
                        Path.of("/state/logs/grafana.log"));
        assertThat(spec.command()).containsExactly("/g/bin/grafana", "server", "--homepath", "/g");
        assertThat(spec.environment())
                .contains(
                        entry("GF_SERVER_HTTP_ADDR", "127.0.0.1"),
                        entry("GF_AUTH_ANONYMOUS_ORG_ROLE", "Viewer"),
                        entry("GF_AUTH_DISABLE_LOGIN_FORM", "true"),
                        entry("GF_AUTH_BASIC_ENABLED", "false"),
                        entry("PHASEWISE_PROMETHEUS_URL", "http://127.0.0.1:9090"),
                        entry("PHASEWISE_DASHBOARDS", "/repo/dashboards/generated"));
    }
}
