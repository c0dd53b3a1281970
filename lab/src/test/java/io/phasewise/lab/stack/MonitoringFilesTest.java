/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.AbstractPathAssert;
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

    /** What a file of the copy holds. */
    private AbstractPathAssert<?> assertCopy(String file) {
        return assertThat(state.resolve(file));
    }

    @Test
    void prometheusGetsTheRepositorysFilesAndTheTargetsOfThisStack() throws Exception {
        Path configuration = files.writePrometheus(true, false);

        assertThat(configuration)
                .isEqualTo(state.resolve("prometheus/prometheus.yml"))
                .hasContent("scrape_configs: []");
        assertCopy("prometheus/rules/a.yml").hasContent("groups: []");
        assertCopy("prometheus/targets/kafka-broker.yml")
                .hasContent(
                        """
                        - targets: ["127.0.0.1:7081"]
                          labels: {cluster: local, broker: "1"}
                        - targets: ["127.0.0.1:7082"]
                          labels: {cluster: local, broker: "2"}
                        - targets: ["127.0.0.1:7083"]
                          labels: {cluster: local, broker: "3"}
                        """);
        assertCopy("prometheus/targets/kafka-canary.yml")
                .hasContent("- targets: [\"127.0.0.1:9480\"]");
        assertCopy("prometheus/targets/kafka-controller.yml").hasContent("[]");
        assertCopy("prometheus/targets/node.yml").hasContent("[]");
    }

    @Test
    void theHostsExporterIsATargetAsSoonAsItRuns() throws Exception {
        files.writePrometheus(true, false);

        files.writeNodeTarget();
        assertCopy("prometheus/targets/node.yml").hasContent("- targets: [\"127.0.0.1:9110\"]");

        files.writePrometheus(true, true);
        assertCopy("prometheus/targets/node.yml").hasContent("- targets: [\"127.0.0.1:9110\"]");
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
    void linksOfAlertsLeadToThisStackUnlessAddressesAreGiven() throws Exception {
        Path links = root.resolve("prometheus/links.yml");
        Files.writeString(links, Files.readString(Path.of("../prometheus/links.yml")));
        files.writePrometheus(true, false);
        assertCopy("prometheus/links.yml")
                .content()
                .contains("runbooks: http://127.0.0.1:9105/runbooks\n")
                .contains("grafana: http://127.0.0.1:3010\n");

        Files.writeString(links, "runbooks: https://wiki.example.com\n");
        files.writePrometheus(true, true);
        assertCopy("prometheus/links.yml").hasContent("runbooks: https://wiki.example.com");
    }

    @Test
    void alertmanagerIsToldWhereTheReceiverListens() throws Exception {
        files.writeAlertmanager();

        assertCopy("alertmanager/receiver.url").hasContent("http://127.0.0.1:9105/");
        assertCopy("alertmanager/templates/page.tmpl").exists();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
