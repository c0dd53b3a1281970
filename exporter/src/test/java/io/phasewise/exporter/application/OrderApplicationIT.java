/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.common.file.JarResource;
import io.phasewise.exporter.ExportingCluster;
import io.phasewise.exporter.TestClusters;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.measure.Scrape.Sample;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
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
    @RegisterExtension static final ExportingCluster CLUSTER = TestClusters.RECEIVING;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final String SENT = "kafka_producer_record_send_total";
    private static final String CONSUMED = "kafka_consumer_fetch_manager_records_consumed_total";
    private static final String COMMITS = "kafka_consumer_coordinator_commit_total";

    /** Type and client by name of a metric. */
    private static final Map<String, String> PROMISED =
            JarResource.rows(OrderApplicationIT.class, "/application-metrics.csv", 2).stream()
                    .collect(
                            Collectors.toMap(
                                    row -> row[1],
                                    row ->
                                            (row[1].endsWith("_total") ? "counter " : "gauge ")
                                                    + row[0]));

    private static final int ENOUGH = 100;

    private final PortLease ports = PortLease.take(2);
    private final HttpClient http = HttpClient.newHttpClient();
    private KafkaCluster cluster;
    private ManagedProcess application;

    @BeforeAll
    void startTheApplication(@TempDir Path directory) throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        Path exporter = root.resolve("exporter");
        cluster = CLUSTER.kafka();
        cluster.createTopic(ORDERS.topic(), 1, 1, Map.of());
        String stockAgent =
                "-javaagent:"
                        + exporter.resolve("target/jmx_prometheus_javaagent.jar")
                        + "=127.0.0.1:"
                        + ports.port(0)
                        + ":"
                        + exporter.resolve("rules/kafka-client.yml");
        application =
                ManagedProcess.start(
                        new ProcessSpec(
                                "application",
                                List.of(
                                        Programs.java(),
                                        "-Xmx128m",
                                        "-XX:TieredStopAtLevel=1",
                                        stockAgent,
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        OrderApplication.class.getName(),
                                        cluster.bootstrap(),
                                        String.valueOf(ports.port(1))),
                                Map.of(),
                                directory,
                                directory.resolve("application.log")));
        await("orders go in, come out and are committed")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(
                        () ->
                                jmx().sum(CONSUMED) > ENOUGH
                                        && jmx().sum(COMMITS) > 1
                                        && micrometer().sum(CONSUMED) > ENOUGH);
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
        Scrape scrape = jmx();

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

    @Test
    void bothCountWhatIsInTheLog() throws Exception {
        double atFirst = end();
        Scrape before = jmx();
        Scrape micrometer = micrometer();
        Scrape after = jmx();
        double atLast = end();

        assertThat(before.sum(SENT)).as("sent").isGreaterThanOrEqualTo(atFirst);
        assertThat(after.sum(CONSUMED)).as("consumed").isLessThanOrEqualTo(atLast);
        PROMISED.keySet().stream()
                .filter(name -> name.endsWith("_total"))
                .forEach(
                        name ->
                                assertThat(micrometer.sum(name))
                                        .as(name)
                                        .isBetween(before.sum(name), after.sum(name)));
    }

    private double end() throws Exception {
        return cluster.admin()
                .listOffsets(Map.of(ORDERS, OffsetSpec.latest()))
                .partitionResult(ORDERS)
                .get(30, TimeUnit.SECONDS)
                .offset();
    }

    private static Map<String, String> clients(Scrape scrape) {
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

    private Scrape jmx() throws IOException, InterruptedException {
        return scrape(0, "/metrics");
    }

    private Scrape micrometer() throws IOException, InterruptedException {
        return scrape(1, "/actuator/prometheus");
    }

    private Scrape scrape(int port, String path) throws IOException, InterruptedException {
        assertThat(application.isAlive()).as(() -> application.logExcerpt(50).toString()).isTrue();
        URI uri = URI.create("http://127.0.0.1:" + ports.port(port) + path);
        return Scrape.of(
                http.send(
                                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body());
    }
}
