/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How servers are run, seen as text: on loopback only, and open to nobody who could change them.
 */
class ServerSpecsTest {

    private static final Path FILE = Path.of("/state/file");
    private static final Path DATA = Path.of("/state/data");
    private static final Path LOG = Path.of("/state/log");
    private static final ServerInstallation SERVER =
            new ServerInstallation(Path.of("/bin/server"), Path.of("/bin/tool"), new Version(3, 15, 0));

    @Test
    void prometheusListensOnLoopbackOnlyAndCanBeReloaded() {
        assertThat(ServerSpecs.prometheus(SERVER, FILE, DATA, 9190, LOG).command())
                .startsWith("/bin/server")
                .contains(
                        "--config.file=/state/file",
                        "--storage.tsdb.path=/state/data",
                        "--web.listen-address=127.0.0.1:9190",
                        "--web.external-url=http://127.0.0.1:9190",
                        "--web.enable-lifecycle");
    }

    @Test
    void alertmanagerAndNodeExporterListenOnLoopbackOnly() {
        List<String> alertmanager =
                ServerSpecs.alertmanager(SERVER, FILE, DATA, 9193, LOG).command();
        assertThat(alertmanager)
                .contains("--web.listen-address=127.0.0.1:9193")
                .as("seeks no peers")
                .contains("--cluster.listen-address=");
        assertThat(ServerSpecs.nodeExporter(SERVER, DATA, 9200, LOG).command())
                .contains("--web.listen-address=127.0.0.1:9200", "--collector.disable-defaults")
                .as("what dashboards show")
                .contains("--collector.cpu", "--collector.diskstats");
    }

    @Test
    void grafanaLetsEverybodyLookAndNobodyIn() {
        assertThat(ServerSpecs.grafana(
                                new GrafanaInstallation(
                                        Path.of("/g/bin/grafana"), Path.of("/g"), new Version(13, 0, 0)),
                                Path.of("/repo/dashboards"),
                                ServerSpecs.url(9090),
                                DATA,
                                3000,
                                LOG)
                        .environment())
                .contains(
                        entry("GF_SERVER_HTTP_ADDR", "127.0.0.1"),
                        entry("GF_AUTH_ANONYMOUS_ORG_ROLE", "Viewer"),
                        entry("GF_AUTH_DISABLE_LOGIN_FORM", "true"),
                        entry("GF_AUTH_BASIC_ENABLED", "false"),
                        entry("PHASEWISE_PROMETHEUS_URL", "http://127.0.0.1:9090"),
                        entry("GF_PATHS_PROVISIONING", "/repo/dashboards/provisioning"),
                        entry("PHASEWISE_DASHBOARDS", "/repo/dashboards/generated"));
    }
}
