/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.stack.Installation;
import java.io.IOException;
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
    private final Layout layout;
    private KafkaCluster kafka;

    private LabCluster(Layout layout) {
        this.layout = layout;
        this.exporters = PortLease.take(layout.nodes());
    }

    /**
     * Starts them.
     *
     * @param root the repository's
     * @param directory for their files
     * @param layout how many, and whether behind links; what else it says is left to the caller
     * @param special says what is special about them
     * @throws io.phasewise.common.cli.MissingException when something they need is not there;
     *     nothing was started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static LabCluster start(
            Path root, Path directory, Layout layout, UnaryOperator<ClusterBuilder> special)
            throws InterruptedException {
        Installation built = new Installation(root);
        built.requireBuilt();
        LabCluster cluster = new LabCluster(layout);
        boolean up = false;
        try {
            ClusterBuilder builder =
                    KafkaCluster.builder(root, directory)
                            .brokers(layout.brokers())
                            .controllers(layout.controllers())
                            .heapMebibytes(HEAP_MEBIBYTES)
                            .stopGrace(Duration.ZERO)
                            .jvmOption(
                                    id ->
                                            "-javaagent:%s=%s"
                                                    .formatted(
                                                            built.brokerAgent(),
                                                            cluster.exporter(id)));
            cluster.kafka = special.apply(layout.links() ? builder.behindLinks() : builder).build();
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

    /** Host and port of a node's exporter. */
    public String exporter(int node) {
        return "127.0.0.1:" + exporters.port(layout.index(node));
    }

    /** The series of a broker's exporter. */
    public TimedScrape scrape(int broker) throws IOException, InterruptedException {
        return pages.timedScrape("http://" + exporter(broker) + "/metrics");
    }

    /** The series of every broker's exporter. */
    public List<TimedScrape> scrapes() throws IOException, InterruptedException {
        List<TimedScrape> all = new ArrayList<>();
        for (int broker = 1; broker <= layout.brokers(); broker++) {
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
