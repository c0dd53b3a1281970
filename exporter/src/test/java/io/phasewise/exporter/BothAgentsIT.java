/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.exporter.Scrape.Sample;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * One broker under both agents, ours and the stock JMX exporter with the same rules: what they call
 * things, and what they read.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BothAgentsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int TOPICS = 22;

    private final PortLease ports = PortLease.take(2);
    private final HttpClient http = HttpClient.newHttpClient();
    private KafkaCluster cluster;

    @BeforeAll
    void startABrokerAndLetItWork(@TempDir Path directory) throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        Path exporter = root.resolve("exporter");
        cluster =
                KafkaCluster.builder(root, directory)
                        .shortLived()
                        .brokers(1)
                        .stopGrace(Duration.ZERO)
                        .jvmOption(
                                "-javaagent:"
                                        + exporter.resolve("target/jmx_prometheus_javaagent.jar")
                                        + "=127.0.0.1:"
                                        + ports.port(0)
                                        + ":"
                                        + exporter.resolve("rules/kafka-broker.yml"))
                        .jvmOption(
                                "-javaagent:"
                                        + exporter.resolve("target/phasewise-exporter.jar")
                                        + "=127.0.0.1:"
                                        + ports.port(1)
                                        + ":"
                                        + exporter.resolve("src/test/resources/five-topics.yml"))
                        .build();
        cluster.start();
        Traffic traffic = new Traffic(cluster.clientProperties());
        for (int i = 0; i < TOPICS; i++) {
            cluster.createTopic("topic-" + i, 1, 1, Map.of());
            traffic.produce("topic-" + i, 1, 1 + i);
        }
        traffic.consume("topic-1", 1, 2);
        traffic.consumeAsGroup("topic-2", "readers", 3);
    }

    @AfterAll
    void stopTheBroker() {
        cluster.close();
        ports.close();
    }

    @Test
    void bothHaveTheSameSeriesOfTheSameTypes() {
        // New beans are given names every few seconds.
        await("our agent has seen all beans")
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            Scrape stock = scrape(0);
                            Scrape own = scrape(1);
                            assertThat(fromRules(own)).isEqualTo(fromRules(stock));
                            for (String name : fromRules(stock)) {
                                String metric = name.replaceFirst("\\{.*", "");
                                assertThat(own.type(metric))
                                        .as(metric)
                                        .isEqualTo(stock.type(metric));
                            }
                        });
    }

    @Test
    void bothReadTheSameValues() {
        await("two scrapes of the stock agent with one of ours between them agree")
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            Map<String, Double> before = values(scrape(0));
                            Map<String, Double> own = values(scrape(1));
                            Map<String, Double> after = values(scrape(0));
                            Map<String, Double> still = new TreeMap<>(before);
                            still.entrySet().retainAll(after.entrySet());
                            assertThat(still).hasSizeGreaterThan(150);
                            Map<String, Double> ours = new TreeMap<>(own);
                            ours.keySet().retainAll(still.keySet());
                            assertThat(ours).isEqualTo(still);
                        });
    }

    @Test
    void onlyTheBusiestTopicsHaveSeriesOfTheirOwn() {
        await("topics are ranked")
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            Scrape own = scrape(1);
                            assertThat(
                                            own
                                                    .named(
                                                            "kafka_server_brokertopicmetrics_topic_bytesin_total")
                                                    .stream()
                                                    .map(sample -> sample.labels().get("topic")))
                                    .hasSize(5)
                                    .contains("topic-21", "topic-20");
                            assertThat(own.value("kafka_log_log_size_bytes")).isPositive();
                        });
    }

    @Test
    void settingsAndVersionAreInOneSeries() throws Exception {
        assertThat(scrape(1).named("kafka_broker_config_info"))
                .singleElement()
                .satisfies(
                        sample ->
                                assertThat(sample.labels())
                                        .containsEntry("num_io_threads", "4")
                                        .containsEntry("num_network_threads", "2")
                                        .containsEntry("num_replica_fetchers", "1")
                                        .containsEntry("replica_lag_time_max_ms", "30000")
                                        .hasEntrySatisfying(
                                                "version", v -> assertThat(v).startsWith("4.")));
    }

    @Test
    void nothingFails() throws Exception {
        Scrape own = scrape(1);

        assertThat(own.value("kafka_exporter_config_error")).isZero();
        assertThat(own.value("kafka_exporter_scrape_errors_total")).isZero();
        assertThat(own.value("jmx_scrape_error")).isZero();
        assertThat(cluster.logTails(2_000)).doesNotContain("ERROR phasewise-exporter");
    }

    @Test
    void everyMetricOfOursIsInTheReadme() throws Exception {
        Set<String> documented = new TreeSet<>();
        PromisedMetric.ALL.forEach(promise -> documented.addAll(promise.names()));
        OwnMetric.ALL.forEach(own -> documented.add(own.name()));
        OwnMetric.CLIENTS.forEach(own -> documented.add(own.name()));

        Set<String> undocumented = new TreeSet<>();
        for (String name : scrape(1).names("kafka_")) {
            if (!documented.contains(name)
                    && !documented.contains(name.replaceFirst("_(bucket|sum|count)$", ""))) {
                undocumented.add(name);
            }
        }
        assertThat(undocumented).isEmpty();
    }

    /** Series that the rules make; percentiles of request timings are the stock agent's alone. */
    private static Set<String> fromRules(Scrape scrape) {
        return values(scrape).keySet();
    }

    private static Map<String, Double> values(Scrape scrape) {
        Set<String> promised =
                PromisedMetric.ALL.stream()
                        .flatMap(promise -> promise.names().stream())
                        .filter(name -> name.startsWith("kafka_"))
                        .collect(Collectors.toSet());
        Map<String, Double> values = new TreeMap<>();
        for (Sample sample : scrape.samples()) {
            boolean percentile =
                    sample.name().startsWith("kafka_network_requestmetrics_")
                            && sample.labels().containsKey("quantile");
            if (promised.contains(sample.name()) && !percentile) {
                values.put(sample.name() + new TreeMap<>(sample.labels()), sample.value());
            }
        }
        return values;
    }

    private Scrape scrape(int agent) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + ports.port(agent) + "/metrics");
        return Scrape.parse(
                http.send(
                                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body());
    }
}
