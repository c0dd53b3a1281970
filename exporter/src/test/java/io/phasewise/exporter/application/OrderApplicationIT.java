/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.exporter.Scrape;
import io.phasewise.exporter.Scrape.Sample;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which metrics of its clients an application shows where they do not push: by the stock JMX
 * exporter agent with rules/kafka-client.yml, and by Micrometer's binder. Kafka's clients have all
 * of them as soon as they are made, so there is no broker here, and no value to look at.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrderApplicationIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final List<String> PRODUCER =
            List.of(
                    "request_latency_avg",
                    "request_latency_max",
                    "record_queue_time_avg",
                    "record_queue_time_max",
                    "batch_size_avg",
                    "batch_size_max",
                    "records_per_request_avg",
                    "bufferpool_wait_time_ns_total",
                    "bufferpool_wait_ratio",
                    "buffer_available_bytes",
                    "requests_in_flight",
                    "produce_throttle_time_avg",
                    "produce_throttle_time_max",
                    "record_send_rate",
                    "record_send_total",
                    "record_error_rate",
                    "record_error_total",
                    "record_retry_rate",
                    "record_retry_total");

    private static final List<String> CONSUMER =
            List.of(
                    "fetch_manager_records_consumed_rate",
                    "fetch_manager_records_consumed_total",
                    "fetch_manager_bytes_consumed_rate",
                    "fetch_manager_bytes_consumed_total",
                    "fetch_manager_fetch_latency_avg",
                    "fetch_manager_fetch_latency_max",
                    "fetch_manager_fetch_rate",
                    "fetch_manager_fetch_total",
                    "fetch_manager_fetch_size_avg",
                    "fetch_manager_fetch_size_max",
                    "fetch_manager_fetch_throttle_time_avg",
                    "fetch_manager_fetch_throttle_time_max",
                    "fetch_manager_records_per_request_avg",
                    "fetch_manager_records_lag_max",
                    "time_between_poll_avg",
                    "time_between_poll_max",
                    "poll_idle_ratio_avg",
                    "last_poll_seconds_ago",
                    "coordinator_commit_latency_avg",
                    "coordinator_commit_latency_max",
                    "coordinator_commit_rate",
                    "coordinator_commit_total",
                    "coordinator_rebalance_latency_avg",
                    "coordinator_rebalance_latency_max",
                    "coordinator_rebalance_latency_total",
                    "coordinator_rebalance_total",
                    "coordinator_failed_rebalance_total",
                    "coordinator_last_rebalance_seconds_ago");

    private final PortLease ports = PortLease.take(3);
    private final HttpClient http = HttpClient.newHttpClient();
    private ManagedProcess application;

    @BeforeAll
    void startTheApplication(@TempDir Path directory) throws Exception {
        Path exporter = Path.of(System.getProperty("phasewise.root"), "exporter");
        application =
                ManagedProcess.start(
                        new ProcessSpec(
                                "application",
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx128m",
                                        "-javaagent:"
                                                + exporter.resolve(
                                                        "target/jmx_prometheus_javaagent.jar")
                                                + "=127.0.0.1:"
                                                + ports.port(0)
                                                + ":"
                                                + exporter.resolve("rules/kafka-client.yml"),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        OrderApplication.class.getName(),
                                        "127.0.0.1:" + ports.port(2),
                                        String.valueOf(ports.port(1))),
                                Map.of(),
                                directory,
                                directory.resolve("application.log")));
        await("both clients are made")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(
                        () ->
                                clients(micrometer())
                                        .values()
                                        .containsAll(
                                                List.of("gauge orders-out", "gauge orders-in")));
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
        Scrape scrape = scrape(0, "/metrics");

        assertThat(clients(scrape)).isEqualTo(promised());
        assertThat(scrape.samples().stream().filter(s -> s.name().startsWith("kafka_")))
                .hasSize(promised().size())
                .allMatch(sample -> sample.labels().keySet().equals(Set.of("client_id")));
    }

    @Test
    void micrometerGivesThemByTheSameNamesAndTypes() throws Exception {
        assertThat(clients(micrometer())).containsAllEntriesOf(promised());
    }

    /** Type and client of each metric. */
    private static Map<String, String> promised() {
        Map<String, String> promised = new TreeMap<>();
        PRODUCER.forEach(name -> promise(promised, "kafka_producer_" + name, "orders-out"));
        CONSUMER.forEach(name -> promise(promised, "kafka_consumer_" + name, "orders-in"));
        return promised;
    }

    private static void promise(Map<String, String> promised, String name, String client) {
        promised.put(name, (name.endsWith("_total") ? "counter " : "gauge ") + client);
    }

    private static Map<String, String> clients(Scrape scrape) {
        Map<String, String> clients = new TreeMap<>();
        for (Sample sample : scrape.samples()) {
            if (sample.name().startsWith("kafka_")) {
                clients.put(
                        sample.name(),
                        scrape.types().get(sample.name()) + " " + sample.labels().get("client_id"));
            }
        }
        return clients;
    }

    private Scrape micrometer() throws IOException, InterruptedException {
        return scrape(1, "/actuator/prometheus");
    }

    private Scrape scrape(int port, String path) throws IOException, InterruptedException {
        assertThat(application.isAlive()).as(() -> application.logExcerpt(50).toString()).isTrue();
        URI uri = URI.create("http://127.0.0.1:" + ports.port(port) + path);
        return Scrape.parse(
                http.send(
                                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body());
    }
}
