/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.Scrape;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.telemetry.ClientMetricsSubscription;
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

/** Real brokers that receive what their clients push, once a second. */
final class ReceivingCluster implements AutoCloseable {

    private final KafkaCluster kafka;
    private final PortLease ports;
    private final int brokers;
    private final HttpClient http = HttpClient.newHttpClient();

    private ReceivingCluster(KafkaCluster kafka, PortLease ports, int brokers) {
        this.kafka = kafka;
        this.ports = ports;
        this.brokers = brokers;
    }

    /** Starts brokers with the receiver of that class, and subscribes to what it has use for. */
    static ReceivingCluster start(
            KafkaVersion version, int brokers, Class<?> receiver, Path directory)
            throws InterruptedException {
        Path root = Path.of(System.getProperty("phasewise.root"));
        Path jar = root.resolve("exporter/target/phasewise-exporter.jar");
        PortLease ports = PortLease.take(brokers);
        KafkaCluster kafka =
                KafkaCluster.builder(root, directory)
                        .shortLived()
                        .version(version)
                        .brokers(brokers)
                        .stopGrace(Duration.ZERO)
                        .brokerProperty(
                                "metric.reporters",
                                "org.apache.kafka.common.metrics.JmxReporter," + receiver.getName())
                        .jvmOption(id -> "-javaagent:" + jar + "=127.0.0.1:" + ports.port(id - 1))
                        .build();
        kafka.start();
        new ClientMetricsSubscription(kafka.admin())
                .enable("everything", Duration.ofSeconds(1), List.of());
        return new ReceivingCluster(kafka, ports, brokers);
    }

    KafkaCluster kafka() {
        return kafka;
    }

    /** Port on which clients reach the first broker. */
    int port() {
        return kafka.plan().brokers().get(0).ports().client().port();
    }

    /** All series of all brokers that have the name and, among others, these labels. */
    List<Scrape.Sample> series(String name, Map<String, String> labels) {
        List<Scrape.Sample> all = new ArrayList<>();
        for (int broker = 1; broker <= brokers; broker++) {
            for (Scrape.Sample sample : scrape(broker).named(name)) {
                if (sample.labels().entrySet().containsAll(labels.entrySet())) {
                    all.add(sample);
                }
            }
        }
        return all;
    }

    /** Their sum; 0 where there is none. */
    double sum(String name, Map<String, String> labels) {
        return series(name, labels).stream().mapToDouble(Scrape.Sample::value).sum();
    }

    /** What one broker shows. */
    Scrape scrape(int broker) {
        URI uri = URI.create("http://127.0.0.1:" + ports.port(broker - 1) + "/metrics");
        try {
            return Scrape.parse(
                    http.send(
                                    HttpRequest.newBuilder(uri)
                                            .timeout(Duration.ofSeconds(20))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kafka.close();
        ports.close();
    }
}
