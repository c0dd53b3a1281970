/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.application;

import static io.phasewise.exporter.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.file.JarResource;
import io.phasewise.exporter.ExportingCluster;
import io.phasewise.exporter.TestClusters;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.junit.ScrapedPage.Sample;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which metrics of its clients an application shows where they do not push, and of what: by the
 * stock JMX exporter agent with rules/kafka-client.yml, and by Micrometer's binder, while it sends
 * to a real broker and reads from it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrderApplicationIT {
    @RegisterExtension
    static final ExportingCluster CLUSTER = TestClusters.RECEIVING;

    private static final String CONSUMED = "kafka_consumer_fetch_manager_records_consumed_total";
    private static final String COMMITS = "kafka_consumer_coordinator_commit_total";

    /** Type and client by name of a metric. */
    private static final Map<String, String> PROMISED =
            JarResource.rows(OrderApplicationIT.class, "/application-metrics.csv", 2).stream()
                    .collect(Collectors.toMap(row -> row[1], row -> type(row[1]) + " " + row[0]));

    private static String type(String metric) {
        return metric.endsWith("_total") ? "counter" : "gauge";
    }

    private static final int ENOUGH = 100;

    private final PortLease ports = PortLease.take(2);
    private final HttpClient http = HttpClient.newHttpClient();
    private ManagedProcess application;

    @BeforeAll
    void startTheApplication(@TempDir Path directory) throws Exception {
        Path exporter = Path.of(System.getProperty("phasewise.root"), "exporter");
        KafkaCluster cluster = CLUSTER.kafka();
        cluster.createTopic("orders", 1, 1, Map.of());
        String port = Integer.toString(ports.port(1));
        String stockAgent =
                exporter.resolve("target/jmx_prometheus_javaagent.jar").toString();
        String rules = exporter.resolve("rules/kafka-client.yml").toString();
        List<String> command = new ArrayList<>(List.of(Programs.java(), "-Xmx128m"));
        command.add("-javaagent:" + stockAgent + "=127.0.0.1:" + ports.port(0) + ":" + rules);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(OrderApplication.class.getName(), cluster.bootstrap(), port));
        Path log = directory.resolve("application.log");
        ProcessSpec spec = new ProcessSpec("application", command, Map.of(), directory, log);
        application = ManagedProcess.start(spec);
        await("orders go in, come out and are committed")
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> {
                    ScrapedPage page = jmx();
                    assertThat(Map.of(
                                    "consumed", page.sum(CONSUMED) > ENOUGH,
                                    "committed", page.sum(COMMITS) > 1,
                                    "consumed by Micrometer", micrometer().sum(CONSUMED) > ENOUGH))
                            .as(() -> "enough; the application says: " + application.logExcerpt(30))
                            .doesNotContainValue(false);
                });
    }

    @AfterAll
    void stop() {
        if (application != null) {
            application.close();
        }
        ports.close();
    }

    @Test
    void theRulesGiveTheDocumentedMetricsOnceForEachClientAndNothingElse() throws Exception {
        ScrapedPage scrape = jmx();

        assertThat(clients(scrape)).isEqualTo(PROMISED);
        assertThat(scrape.samples())
                .filteredOn(sample -> sample.name().startsWith("kafka_"))
                .hasSameSizeAs(PROMISED.keySet())
                .allMatch(sample -> sample.labels().keySet().equals(Set.of("client_id")));
    }

    @Test
    void micrometerGivesThemByTheSameNamesAndTypes() throws Exception {
        assertThat(clients(micrometer())).containsAllEntriesOf(PROMISED);
    }

    private static Map<String, String> clients(ScrapedPage scrape) {
        Map<String, String> clients = new TreeMap<>();
        for (Sample sample : scrape.samples()) {
            if (sample.name().startsWith("kafka_")) {
                clients.put(
                        sample.name(),
                        scrape.type(sample.name()) + " " + sample.labels().get("client_id"));
            }
        }
        return clients;
    }

    private ScrapedPage jmx() throws IOException, InterruptedException {
        return scrape(0, "/metrics");
    }

    private ScrapedPage micrometer() throws IOException, InterruptedException {
        return scrape(1, "/actuator/prometheus");
    }

    private ScrapedPage scrape(int port, String path) throws IOException, InterruptedException {
        assertThat(application.isAlive())
                .as(() -> application.logExcerpt(50).toString())
                .isTrue();
        URI uri = URI.create("http://127.0.0.1:" + ports.port(port) + path);
        return ScrapedPage.of(http.send(
                        HttpRequest.newBuilder(uri)
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body());
    }
}
