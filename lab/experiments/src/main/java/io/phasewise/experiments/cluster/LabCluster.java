/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.MissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Brokers of the lab's own, each with the exporter's agent; their files go when a run does. */
public final class LabCluster implements AutoCloseable {
    private static final int HEAP_MEBIBYTES = 384;

    private final HttpPages pages = new HttpPages();
    private final PortLease exporters;
    private final int brokers;
    private KafkaCluster kafka;

    private LabCluster(int brokers, int controllers) {
        this.brokers = brokers;
        this.exporters = PortLease.take(brokers + controllers);
    }

    /**
     * Starts them.
     *
     * @param root the repository's
     * @param directory for their files
     * @param controllers that are no brokers; 0 has every broker be one, too
     * @param special says what is special about them
     * @throws MissingException when something they need is not there; nothing was started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static LabCluster start(
            Path root,
            Path directory,
            int brokers,
            int controllers,
            UnaryOperator<ClusterBuilder> special)
            throws InterruptedException {
        Path agent = root.resolve("exporter/target/phasewise-exporter.jar");
        if (!Files.isRegularFile(agent)) {
            throw new MissingException(
                    "no exporter, " + agent, "get it with: ./mvnw -pl exporter -am package");
        }
        LabCluster cluster = new LabCluster(brokers, controllers);
        boolean up = false;
        try {
            ClusterBuilder builder =
                    KafkaCluster.builder(root, directory)
                            .brokers(brokers)
                            .controllers(controllers)
                            .heapMebibytes(HEAP_MEBIBYTES)
                            .stopGrace(Duration.ZERO)
                            .jvmOption(id -> "-javaagent:" + agent + "=" + cluster.exporter(id));
            cluster.kafka = special.apply(builder).build();
            cluster.kafka.start();
            up = true;
            return cluster;
        } finally {
            if (!up) {
                cluster.close();
            }
        }
    }

    /** The brokers. */
    public KafkaCluster kafka() {
        return kafka;
    }

    /** A node's place among all of them, from 0; controllers come after brokers. */
    public static int index(int node, int brokers) {
        return node < Controller.FIRST ? node - 1 : brokers + node - Controller.FIRST;
    }

    /** Host and port of a node's exporter. */
    public String exporter(int node) {
        return "127.0.0.1:" + exporters.port(index(node, brokers));
    }

    /** The series of a broker's exporter. */
    public TimedScrape scrape(int broker) throws IOException, InterruptedException {
        return pages.timedScrape("http://" + exporter(broker) + "/metrics");
    }

    /** The series of every broker's exporter. */
    public List<TimedScrape> scrapes() throws IOException, InterruptedException {
        List<TimedScrape> all = new ArrayList<>();
        for (int broker = 1; broker <= brokers; broker++) {
            all.add(scrape(broker));
        }
        return all;
    }

    /** What they are, for people: names to versions and sizes. */
    public static Map<String, String> versions() {
        return new TreeMap<>(
                Map.of(
                        "brokers", "Kafka " + KafkaVersion.V4_4,
                        "brokers' heap", HEAP_MEBIBYTES + " MiB each"));
    }

    @Override
    public void close() {
        if (kafka != null) {
            kafka.close();
        }
        exporters.close();
    }
}
