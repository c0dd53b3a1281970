/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.scrape;

import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One broker with many partitions, filled once and started again under each exporter in turn, on
 * the same data.
 *
 * <p>The CPU time of a scrape is that of the whole process while it is scraped back to back, less
 * what it uses when it is left alone for as long.
 */
public final class ScrapedBroker {
    /** As many as have series of their own: what is left to grow is the number of partitions. */
    private static final int LEAST_TOPICS = 20;

    private static final int TOPIC_PARTITIONS = 20;
    private static final int TOPICS_AT_ONCE = 50;
    private static final int LEAST_SCRAPES = 3;
    private static final int HEAP_MEBIBYTES = 1_024;
    private static final Duration IDLE = Duration.ofSeconds(4);
    private static final Duration SCRAPE_BOUND = Duration.ofSeconds(120);
    private static final Duration READ_BOUND = Duration.ofSeconds(60);

    private final Path root;
    private final Path directory;
    private final int topics;
    private final int topicPartitions;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /**
     * @param root the repository's root
     * @param directory of the broker's data
     * @param partitions on the broker, a multiple of 20: in 20 topics, or more of 20 partitions
     *     each
     */
    public ScrapedBroker(Path root, Path directory, int partitions) {
        this.root = root;
        this.directory = directory;
        this.topics = Math.max(LEAST_TOPICS, partitions / TOPIC_PARTITIONS);
        this.topicPartitions = partitions / topics;
    }

    /**
     * What a scrape costs.
     *
     * @param cpuMillis of the broker's process
     * @param wallMillis until the last byte has arrived
     * @param bytes of the text, uncompressed
     * @param series lines of it that are no comments
     * @param scrapes that it is the mean of
     */
    public record Cost(double cpuMillis, double wallMillis, long bytes, long series, int scrapes) {}

    /**
     * Creates the topics, under no agent.
     *
     * @throws IOException when the broker refuses
     */
    public void fill() throws IOException, InterruptedException {
        try (KafkaCluster cluster = description().build()) {
            cluster.start();
            List<NewTopic> all =
                    IntStream.range(0, topics)
                            .mapToObj(i -> new NewTopic(topic(i), topicPartitions, (short) 1))
                            .toList();
            for (int from = 0; from < topics; from += TOPICS_AT_ONCE) {
                int to = Math.min(topics, from + TOPICS_AT_ONCE);
                cluster.admin().createTopics(all.subList(from, to)).all().get();
            }
            traffic(cluster);
        } catch (ExecutionException e) {
            throw new IOException("cannot create the topics", e.getCause());
        }
    }

    /** What makes a broker answer scrapes. */
    public interface Exporter {

        /**
         * Sets it up.
         *
         * @param port where it is to answer, at /metrics
         */
        void addTo(ClusterBuilder broker, int port);

        /**
         * One that comes as an agent.
         *
         * @param file what it is told to read; empty for nothing
         */
        static Exporter agent(Path jar, Optional<Path> file) {
            String more = file.map(each -> ":" + each.toAbsolutePath()).orElse("");
            return (broker, port) ->
                    broker.jvmOption("-javaagent:" + jar + "=127.0.0.1:" + port + more);
        }

        /**
         * The collector that our exporter is built on, with nothing of ours: {@link
         * CollectorAgent}.
         *
         * @param jar has that class
         * @param libraries it needs
         * @param file rules
         */
        static Exporter collector(Path jar, List<Path> libraries, Path file) {
            return (broker, port) -> {
                libraries.forEach(broker::plugin);
                agent(jar, Optional.of(file)).addTo(broker, port);
            };
        }

        /**
         * Strimzi's metrics-reporter 0.2, which Kafka loads.
         *
         * @param jars it and what it needs
         */
        static Exporter metricsReporter(List<Path> jars) {
            String classes = "io.strimzi.kafka.metrics.";
            return (broker, port) -> {
                jars.forEach(broker::plugin);
                broker.brokerProperty(
                                "metric.reporters", classes + "KafkaPrometheusMetricsReporter")
                        .brokerProperty(
                                "kafka.metrics.reporters",
                                classes + "YammerPrometheusMetricsReporter")
                        .brokerProperty(
                                "prometheus.metrics.reporter.listener", "http://127.0.0.1:" + port);
            };
        }
    }

    /**
     * Starts the broker with an exporter, scrapes it until it is warm, and then measures.
     *
     * @param scrapes at most, and as many before them
     * @param budget for each of the two, at most, after three scrapes
     * @throws IOException when a scrape fails
     */
    public Cost measure(Exporter exporter, int scrapes, Duration budget)
            throws IOException, InterruptedException {
        ClusterBuilder description = description();
        try (PortLease ports = PortLease.take(1)) {
            exporter.addTo(description, ports.port(0));
            return measure(description, ports.port(0), scrapes, budget);
        }
    }

    private Cost measure(ClusterBuilder description, int port, int scrapes, Duration budget)
            throws IOException, InterruptedException {
        try (KafkaCluster cluster = description.build()) {
            cluster.start();
            traffic(cluster);
            URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
            long pid = cluster.broker(1).pid();
            scrape(uri, scrapes, budget);
            double idleShare = idleShare(pid);
            double cpuBefore = cpuSeconds(pid);
            long began = System.nanoTime();
            List<String> bodies = scrape(uri, scrapes, budget);
            double wall = (System.nanoTime() - began) / 1e9;
            double cpu = cpuSeconds(pid) - cpuBefore - idleShare * wall;
            String last = bodies.get(bodies.size() - 1);
            return new Cost(
                    1e3 * cpu / bodies.size(),
                    1e3 * wall / bodies.size(),
                    last.length(),
                    last.lines().filter(line -> !line.startsWith("#")).count(),
                    bodies.size());
        }
    }

    private ClusterBuilder description() {
        return KafkaCluster.builder(root, directory)
                .brokers(1)
                .heapMebibytes(HEAP_MEBIBYTES)
                // Or the indexes of 10,000 new segments would take 200 GB of address space.
                .brokerProperty("log.index.size.max.bytes", "4096")
                // A broker that was killed recovers every log at its next start.
                .stopGrace(Duration.ofSeconds(120));
    }

    /** One record to and from each partition: a topic's beans come with its first record. */
    private void traffic(KafkaCluster cluster) {
        List<TopicPartition> all = new ArrayList<>();
        for (int i = 0; i < topics; i++) {
            for (int partition = 0; partition < topicPartitions; partition++) {
                all.add(new TopicPartition(topic(i), partition));
            }
        }
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(
                                cluster.clientProperties(),
                                new ByteArraySerializer(),
                                new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(
                                cluster.clientProperties(),
                                new ByteArrayDeserializer(),
                                new ByteArrayDeserializer())) {
            for (TopicPartition partition : all) {
                producer.send(
                        new ProducerRecord<>(
                                partition.topic(), partition.partition(), null, new byte[100]));
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

    private List<String> scrape(URI uri, int scrapes, Duration budget)
            throws IOException, InterruptedException {
        List<String> bodies = new ArrayList<>();
        long deadline = System.nanoTime() + budget.toNanos();
        while (bodies.size() < LEAST_SCRAPES
                || bodies.size() < scrapes && System.nanoTime() < deadline) {
            HttpResponse<String> response =
                    http.send(
                            HttpRequest.newBuilder(uri).timeout(SCRAPE_BOUND).build(),
                            HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(uri + " answers " + response.statusCode());
            }
            bodies.add(response.body());
        }
        return bodies;
    }

    /** Share of a core that the process uses when it is left alone. */
    private static double idleShare(long pid) throws InterruptedException {
        double before = cpuSeconds(pid);
        long began = System.nanoTime();
        Thread.sleep(IDLE.toMillis());
        return (cpuSeconds(pid) - before) / ((System.nanoTime() - began) / 1e9);
    }

    /** Processor time of a process so far, user and system. */
    private static double cpuSeconds(long pid) {
        return ProcessHandle.of(pid).orElseThrow().info().totalCpuDuration().orElseThrow().toNanos()
                / 1e9;
    }

    private static String topic(int i) {
        return "topic-" + i;
    }
}
