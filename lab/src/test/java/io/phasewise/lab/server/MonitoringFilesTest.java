/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.server.MonitoringFiles.Target;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitoringFilesTest {
    private static final URI RECEIVER = URI.create("http://127.0.0.1:9105");
    private static final URI GRAFANA = URI.create("http://127.0.0.1:3010");

    @TempDir
    Path temporary;

    private Path root;
    private Path state;
    private MonitoringFiles files;

    @BeforeEach
    void layOutARepository() throws IOException {
        root = temporary.resolve("root");
        state = temporary.resolve("state");
        write(root.resolve("prometheus/prometheus.yml"), "scrape_configs: []\n");
        write(root.resolve("prometheus/rules/a.yml"), "groups: []\n");
        write(root.resolve("alerting/alertmanager.yml"), "route: {}\n");
        write(root.resolve("alerting/templates/page.tmpl"), "{{ }}\n");
        files = new MonitoringFiles(root, state);
    }

    @ParameterizedTest
    @CsvSource({"true, prometheus.yml", "false, prometheus-classic.yml"})
    void prometheusGetsTheConfigurationForItsHistogramsAndTheRules(boolean nativeHistograms, String source)
            throws Exception {
        write(root.resolve("prometheus").resolve(source), "# " + source + "\n");

        assertThat(files.writePrometheus(nativeHistograms))
                .isEqualTo(state.resolve("prometheus/prometheus.yml"))
                .hasContent("# " + source);
        assertThat(state.resolve("prometheus/rules/a.yml")).hasContent("groups: []");
    }

    @Test
    void targetsAreReplaced() throws Exception {
        Path targets = state.resolve("prometheus/targets/kafka-broker.yml");
        files.writeTargets("kafka-broker", List.of());
        assertThat(targets).hasContent("[]");

        Map<String, String> labels = Map.of("cluster", "local", "broker", "1");
        files.writeTargets("kafka-broker", List.of(new Target(7081, labels)));

        assertThat(targets).hasContent("""
                        [{"targets":["127.0.0.1:7081"],"labels":{"broker":"1","cluster":"local"}}]
                        """);
    }

    @Test
    void aRuleThatIsGoneFromTheRepositoryIsGoneFromTheCopy() throws Exception {
        files.writePrometheus(true);
        Files.delete(root.resolve("prometheus/rules/a.yml"));

        files.writePrometheus(true);

        assertThat(state.resolve("prometheus/rules")).isEmptyDirectory();
    }

    @Test
    void linksOfAlertsLeadToTheReceiverAndToTheGrafanaOfThisStack() throws Exception {
        files = new MonitoringFiles(Path.of(".."), state);
        files.writePrometheus(true);

        files.writeLinks(RECEIVER, GRAFANA);

        assertThat(state.resolve("prometheus/links.yml"))
                .content()
                .contains("runbooks: http://127.0.0.1:9105/runbooks\n", "grafana: http://127.0.0.1:3010\n");
    }

    @Test
    void addressesThatAreGivenAreKept() throws Exception {
        write(root.resolve("prometheus/links.yml"), "runbooks: https://wiki.example.com\n");
        files.writePrometheus(true);

        files.writeLinks(RECEIVER, GRAFANA);

        assertThat(state.resolve("prometheus/links.yml")).hasContent("runbooks: https://wiki.example.com");
    }

    @Test
    void alertmanagerIsToldWhereTheReceiverListens() throws Exception {
        files.writeAlertmanager(RECEIVER);

        assertThat(state.resolve("alertmanager/receiver.url")).hasContent("http://127.0.0.1:9105/");
        assertThat(state.resolve("alertmanager/templates/page.tmpl")).exists();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
