/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.exporter.TestClusters;
import io.phasewise.lab.junit.SharedCluster;
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
import org.apache.kafka.clients.admin.NewTopic;
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
    @RegisterExtension static final SharedCluster CLUSTER = TestClusters.RECEIVING;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final String SENT = "kafka_producer_record_send_total";
    private static final String CONSUMED = "kafka_consumer_fetch_manager_records_consumed_total";
    private static final String COMMITS = "kafka_consumer_coordinator_commit_total";

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

    private static final int ENOUGH = 100;

    private final PortLease ports = PortLease.take(2);
    private final HttpClient http = HttpClient.newHttpClient();
    private KafkaCluster cluster;
    private ManagedProcess application;

    @BeforeAll
    void startTheApplication(@TempDir Path directory) throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        Path exporter = root.resolve("exporter");
        cluster = CLUSTER.get();
        cluster.admin()
                .createTopics(List.of(new NewTopic(ORDERS.topic(), 1, (short) 1)))
                .all()
                .get(30, TimeUnit.SECONDS);
        application =
                ManagedProcess.start(
                        new ProcessSpec(
                                "application",
                                List.of(
                                        Programs.java(),
                                        "-Xmx128m",
                                        "-XX:TieredStopAtLevel=1",
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
                                value(jmx(), CONSUMED) > ENOUGH
                                        && value(jmx(), COMMITS) > 1
                                        && value(micrometer(), CONSUMED) > ENOUGH);
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

        assertThat(clients(scrape)).isEqualTo(promised());
        assertThat(scrape.samples().stream().filter(s -> s.name().startsWith("kafka_")))
                .hasSize(promised().size())
                .allMatch(sample -> sample.labels().keySet().equals(Set.of("client_id")));
    }

    @Test
    void micrometerGivesThemByTheSameNamesAndTypes() throws Exception {
        assertThat(clients(micrometer())).containsAllEntriesOf(promised());
    }

    @Test
    void bothCountWhatIsInTheLog() throws Exception {
        double atFirst = end();
        Scrape before = jmx();
        Scrape micrometer = micrometer();
        Scrape after = jmx();
        double atLast = end();

        assertThat(value(before, SENT)).as("sent").isGreaterThanOrEqualTo(atFirst);
        assertThat(value(after, CONSUMED)).as("consumed").isLessThanOrEqualTo(atLast);
        promised().keySet().stream()
                .filter(name -> name.endsWith("_total"))
                .forEach(
                        name ->
                                assertThat(value(micrometer, name))
                                        .as(name)
                                        .isBetween(value(before, name), value(after, name)));
    }

    @Test
    void latenciesAndRatiosAreWhatTheyCanBe() throws Exception {
        for (Scrape scrape : List.of(jmx(), micrometer())) {
            for (String latency :
                    List.of(
                            "kafka_producer_request_latency",
                            "kafka_producer_record_queue_time",
                            "kafka_consumer_fetch_manager_fetch_latency",
                            "kafka_consumer_coordinator_commit_latency")) {
                assertThat(value(scrape, latency + "_avg"))
                        .as(latency + ", ms")
                        .isBetween(0.0, value(scrape, latency + "_max"));
                assertThat(value(scrape, latency + "_max"))
                        .as(latency + ", ms")
                        .isLessThan(PATIENCE.toMillis());
            }
            assertThat(value(scrape, "kafka_producer_records_per_request_avg")).isBetween(1.0, 1e4);
            assertThat(value(scrape, "kafka_consumer_poll_idle_ratio_avg")).isBetween(0.0, 1.0);
            assertThat(value(scrape, "kafka_producer_record_error_total")).isZero();
        }
    }

    /** Micrometer has some by topic, of which there is one. */
    private static double value(Scrape scrape, String name) {
        return scrape.named(name).stream().mapToDouble(Sample::value).sum();
    }

    private double end() throws Exception {
        return cluster.admin()
                .listOffsets(Map.of(ORDERS, OffsetSpec.latest()))
                .partitionResult(ORDERS)
                .get(30, TimeUnit.SECONDS)
                .offset();
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
