/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.scrape;

import io.phasewise.bench.measure.MetricsPage;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One broker with many partitions, filled once, and then started with each exporter in turn on the
 * same data.
 *
 * <p>The CPU time of a scrape is that of the whole process while it is scraped back to back, minus
 * what it uses in the same time without scrapes.
 *
 * @param root of the repository
 * @param directory of the broker's data
 * @param partitions on the broker, a multiple of 20
 */
public record ScrapedBroker(Path root, Path directory, int partitions) {
    /** As many as have series of their own: what is left to grow is the number of partitions. */
    private static final int LEAST_TOPICS = 20;

    private static final int TOPIC_PARTITIONS = 20;
    private static final int LEAST_SCRAPES = 3;
    private static final int HEAP_MEBIBYTES = 1_024;
    private static final Duration IDLE = Duration.ofSeconds(4);
    private static final Duration READ_BOUND = Duration.ofSeconds(60);

    /**
     * What a scrape costs.
     *
     * @param cpuMillis of the broker's process
     * @param wallMillis until the last byte has arrived
     * @param bytes of the text, uncompressed
     * @param series number of lines that are not comments
     * @param scrapes how many the means are over
     */
    public record Cost(double cpuMillis, double wallMillis, long bytes, long series, int scrapes) {}

    /** Creates the topics, without an exporter. */
    public void fill() throws InterruptedException {
        try (KafkaCluster cluster = description().build()) {
            cluster.start();
            int topics = Math.max(LEAST_TOPICS, partitions / TOPIC_PARTITIONS);
            for (int i = 0; i < topics; i++) {
                cluster.createTopic("topic-" + i, partitions / topics, 1, Map.of());
            }
            traffic(cluster);
        }
    }

    /** An exporter, set up on a broker. */
    public interface Exporter {

        /**
         * Sets it up.
         *
         * @param port for its page /metrics
         */
        ClusterBuilder addTo(ClusterBuilder broker, int port);

        /**
         * An exporter that is a Java agent.
         *
         * @param file its configuration; empty: none
         */
        static Exporter agent(Path jar, Optional<Path> file) {
            String more = file.map(each -> ":" + each.toAbsolutePath()).orElse("");
            return (broker, port) -> broker.jvmOption("-javaagent:" + jar + "=127.0.0.1:" + port + more);
        }

        /**
         * Strimzi's metrics-reporter 0.2, which Kafka loads.
         *
         * @param jars directory of its jars
         */
        static Exporter metricsReporter(Path jars) {
            String classes = "io.strimzi.kafka.metrics.";
            return (broker, port) -> broker.plugin(jars.resolve("*"))
                    .brokerProperty("metric.reporters", classes + "KafkaPrometheusMetricsReporter")
                    .brokerProperty("kafka.metrics.reporters", classes + "YammerPrometheusMetricsReporter")
                    .brokerProperty("prometheus.metrics.reporter.listener", "http://127.0.0.1:" + port);
        }
    }

    /**
     * Starts the broker with an exporter, scrapes it until it is warm, and then measures.
     *
     * @param length of warm-up and of measurement; each has at least three scrapes
     * @throws IOException when a scrape fails
     */
    public Cost measure(Exporter exporter, Duration length) throws IOException, InterruptedException {
        try (PortLease ports = PortLease.take(1);
                KafkaCluster cluster =
                        exporter.addTo(description(), ports.port(0)).build()) {
            cluster.start();
            traffic(cluster);
            String address = "http://127.0.0.1:" + ports.port(0);
            long pid = cluster.broker(1).pid();
            scrape(address, length);
            double idleShare = idleShare(pid);
            double cpuBefore = cpuSeconds(pid);
            long began = System.nanoTime();
            int made = scrape(address, length);
            double wall = (System.nanoTime() - began) / 1e9;
            double cpu = cpuSeconds(pid) - cpuBefore - idleShare * wall;
            String page = page(address);
            return new Cost(
                    1e3 * cpu / made,
                    1e3 * wall / made,
                    page.length(),
                    page.lines().filter(line -> !line.startsWith("#")).count(),
                    made);
        }
    }

    private ClusterBuilder description() {
        return KafkaCluster.builder(root, directory)
                .brokers(1)
                .heapMebibytes(HEAP_MEBIBYTES)
                // Otherwise the indexes of 10,000 new segments take 200 GB of address space.
                .brokerProperty("log.index.size.max.bytes", "4096")
                // Not killed: a killed broker recovers every log at its next start.
                .stopGrace(Duration.ofSeconds(120));
    }

    /**
     * Sends and reads a record of each partition: the beans of a topic exist from its first record
     * on.
     */
    private void traffic(KafkaCluster cluster) {
        int topics = Math.max(LEAST_TOPICS, partitions / TOPIC_PARTITIONS);
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(i -> new TopicPartition("topic-" + i % topics, i / topics))
                .toList();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        cluster.clientProperties(), new ByteArraySerializer(), new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                        cluster.clientProperties(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            for (TopicPartition partition : all) {
                producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), null, new byte[100]));
            }
            producer.flush();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long deadline = System.nanoTime() + READ_BOUND.toNanos();
            for (int read = 0; read < all.size() && System.nanoTime() < deadline; ) {
                read += consumer.poll(Duration.ofMillis(500)).count();
            }
        }
    }

    /** Scrapes back to back; returns how often. */
    private static int scrape(String address, Duration length) throws IOException {
        long deadline = System.nanoTime() + length.toNanos();
        int made = 0;
        while (made < LEAST_SCRAPES || System.nanoTime() < deadline) {
            page(address);
            made++;
        }
        return made;
    }

    private static String page(String address) throws IOException {
        return new String(MetricsPage.fetch(address, "text/plain"), StandardCharsets.UTF_8);
    }

    /** The share of a processor that the process uses without scrapes. */
    private static double idleShare(long pid) throws InterruptedException {
        double before = cpuSeconds(pid);
        long began = System.nanoTime();
        Thread.sleep(IDLE.toMillis());
        return (cpuSeconds(pid) - before) / ((System.nanoTime() - began) / 1e9);
    }

    /** Processor time of a process so far, user and system. */
    private static double cpuSeconds(long pid) {
        return ProcessHandle.of(pid)
                        .orElseThrow()
                        .info()
                        .totalCpuDuration()
                        .orElseThrow()
                        .toNanos()
                / 1e9;
    }
}
