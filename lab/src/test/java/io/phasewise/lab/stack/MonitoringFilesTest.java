/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class MonitoringFilesTest {

    @TempDir Path temporary;
    private Path root;
    private Path state;
    private MonitoringFiles files;

    @BeforeEach
    void layOutARepository() throws IOException {
        root = temporary.resolve("root");
        state = temporary.resolve("state");
        write(root.resolve("prometheus/prometheus.yml"), "scrape_configs: []\n");
        write(root.resolve("prometheus/rules/a.yml"), "groups: []\n");
        write(root.resolve("prometheus/links.yml"), "");
        write(root.resolve("alerting/alertmanager.yml"), "route: {}\n");
        write(root.resolve("alerting/templates/page.tmpl"), "{{ }}\n");
        files =
                new MonitoringFiles(
                        new Installation(root), new StateDirectory(state), new StackPorts(10, 0));
    }

    @Test
    void prometheusGetsTheRepositorysFilesAndTheTargetsOfThisStack() throws Exception {
        Path configuration = files.writePrometheus(true, false);

        assertThat(configuration)
                .isEqualTo(state.resolve("prometheus/prometheus.yml"))
                .hasContent("scrape_configs: []");
        assertThat(state.resolve("prometheus/rules/a.yml")).hasContent("groups: []");
        assertThat(state.resolve("prometheus/targets/kafka-broker.yml"))
                .hasContent(
                        """
                        - targets: ["127.0.0.1:7081"]
                          labels: {cluster: local, broker: "1"}
                        - targets: ["127.0.0.1:7082"]
                          labels: {cluster: local, broker: "2"}
                        - targets: ["127.0.0.1:7083"]
                          labels: {cluster: local, broker: "3"}
                        """);
        assertThat(state.resolve("prometheus/targets/kafka-canary.yml"))
                .hasContent("- targets: [\"127.0.0.1:9480\"]");
        assertThat(state.resolve("prometheus/targets/kafka-controller.yml")).hasContent("[]");
        assertThat(state.resolve("prometheus/targets/node.yml")).hasContent("[]");
    }

    @Test
    void theHostsExporterIsATargetAsSoonAsItRuns() throws Exception {
        Path targets = state.resolve("prometheus/targets/node.yml");
        files.writePrometheus(true, false);
        assertThat(targets).hasContent("[]");

        files.writeNodeTarget();

        assertThat(targets).hasContent("- targets: [\"127.0.0.1:9110\"]");
        files.writePrometheus(true, true);
        assertThat(targets).hasContent("- targets: [\"127.0.0.1:9110\"]");
    }

    @Test
    void aRuleThatIsGoneFromTheRepositoryIsGoneFromTheCopy() throws Exception {
        files.writePrometheus(true, false);
        Files.delete(root.resolve("prometheus/rules/a.yml"));

        files.writePrometheus(true, false);

        assertThat(state.resolve("prometheus/rules")).isEmptyDirectory();
    }

    @Test
    void anOlderPrometheusGetsTheConfigurationForClassicHistograms() throws Exception {
        write(root.resolve("prometheus/prometheus-classic.yml"), "rule_files: []\n");

        assertThat(files.writePrometheus(false, false))
                .isEqualTo(state.resolve("prometheus/prometheus.yml"))
                .hasContent("rule_files: []");
    }

    @Test
    void linksOfAlertsLeadToTheReceiverAndToTheGrafanaOfThisStack() throws Exception {
        Files.copy(
                Path.of("../prometheus/links.yml"),
                root.resolve("prometheus/links.yml"),
                StandardCopyOption.REPLACE_EXISTING);

        files.writePrometheus(true, false);

        assertThat(state.resolve("prometheus/links.yml"))
                .content()
                .contains(
                        "runbooks: http://127.0.0.1:9105/runbooks\n",
                        "grafana: http://127.0.0.1:3010\n");
    }

    @Test
    void addressesThatAreGivenAreKept() throws Exception {
        write(root.resolve("prometheus/links.yml"), "runbooks: https://wiki.example.com\n");

        files.writePrometheus(true, true);

        assertThat(state.resolve("prometheus/links.yml"))
                .hasContent("runbooks: https://wiki.example.com");
    }

    @Test
    void alertmanagerIsToldWhereTheReceiverListens() throws Exception {
        files.writeAlertmanager();

        assertThat(state.resolve("alertmanager/receiver.url")).hasContent("http://127.0.0.1:9105/");
        assertThat(state.resolve("alertmanager/templates/page.tmpl")).exists();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
