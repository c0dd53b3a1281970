/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.fleet;

import io.phasewise.bench.measure.MetricsPage;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scratch;
import io.phasewise.lab.measure.StandaloneCanary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A few brokers, each a cluster of its own, that a canary knows under many names, each with a topic
 * of its own: clients, connections, threads and series of the canary are as many as with as many
 * clusters of one broker.
 */
public final class Fleet implements AutoCloseable {
    /** The form that a Prometheus asks for that stores native histograms. */
    private static final String PROTOBUF =
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

    private static final int HEAP_BASE_MEBIBYTES = 128;

    /** Until a canary has measured all of its clusters once. */
    private static final Duration START_BOUND = Duration.ofMinutes(8);

    private final Scratch scratch = Scratch.create();
    private final List<KafkaCluster> brokers = new ArrayList<>();

    /**
     * Starts the brokers.
     *
     * @param root the repository's
     * @throws IOException when files cannot be written
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public Fleet(Path root, int brokers) throws IOException, InterruptedException {
        try {
            for (int i = 0; i < brokers; i++) {
                KafkaCluster broker = KafkaCluster.builder(
                                root, scratch.directory().resolve("kafka-" + i))
                        .brokers(1)
                        .build();
                this.brokers.add(broker);
                broker.start();
            }
        } catch (RuntimeException | InterruptedException e) {
            close();
            throw e;
        }
    }

    /**
     * What a scrape takes.
     *
     * @param millis of each scrape, until its last byte has arrived
     * @param bytes of a page, not compressed
     */
    public record Scrapes(List<Double> millis, long bytes) {}

    /**
     * How a canary is scraped.
     *
     * @param rate of probes a second and cluster
     * @param warmUp between the first probe of every cluster and the first scrape that counts; it
     *     is scraped meanwhile
     * @param every from the beginning of a scrape to that of the next
     * @param scrapes that count
     * @param heapEach mebibytes of heap for each cluster, beside what every canary needs
     * @param jvm further options of its JVM
     */
    public record Plan(double rate, Duration warmUp, Duration every, int scrapes, int heapEach, List<String> jvm) {}

    /**
     * Starts a canary with so many clusters, one lane each, scrapes it as a Prometheus does and ends
     * it.
     *
     * @param jar of the canary
     * @throws IOException when it cannot be started or scraped
     * @throws InterruptedException when interrupted; the canary is not left running
     */
    public Scrapes scrape(Path jar, int clusters, Plan plan) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(scratch.directory(), "canary");
        String heap = HEAP_BASE_MEBIBYTES + plan.heapEach() * clusters + "m";
        List<String> jvm = new ArrayList<>(List.of("-Xms" + heap, "-Xmx" + heap));
        jvm.addAll(plan.jvm());
        List<Double> millis = new ArrayList<>();
        try (StandaloneCanary canary =
                StandaloneCanary.launch(jar, directory, configuration(clusters, plan.rate()), jvm)) {
            canary.awaitReady(START_BOUND);
            long due = System.nanoTime();
            long counted = due + plan.warmUp().toNanos();
            long bytes = 0;
            while (millis.size() < plan.scrapes()) {
                Thread.sleep(Math.max(0, due - System.nanoTime()) / 1_000_000);
                long began = System.nanoTime();
                bytes = MetricsPage.fetch(canary.url(), PROTOBUF).length;
                if (began >= counted) {
                    millis.add((System.nanoTime() - began) / 1e6);
                }
                due = Math.max(due + plan.every().toNanos(), System.nanoTime());
            }
            return new Scrapes(millis, bytes);
        }
    }

    private Map<String, Object> configuration(int count, double rate) {
        Map<String, Object> clusters = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String name = "cluster-%04d".formatted(i);
            Map<String, Object> cluster = Map.of(
                    "bootstrap-servers",
                    brokers.get(i % brokers.size()).bootstrap(),
                    "topic",
                    Map.of("name", name, "replication-factor", 1, "min-insync-replicas", 1),
                    "probe",
                    Map.of("rate", rate, "lanes", 1));
            clusters.put(name, cluster);
        }
        return Map.of("canary", Map.of("http", Map.of("port", 0), "clusters", clusters));
    }

    @Override
    public void close() {
        brokers.forEach(KafkaCluster::close);
        scratch.close();
    }
}
