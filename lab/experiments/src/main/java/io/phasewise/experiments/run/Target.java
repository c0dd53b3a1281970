/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.experiments.measure.Scrape;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The cluster that an experiment runs on: three brokers of the lab's own, each with the exporter's
 * agent, or somebody else's, which is measured and never broken.
 */
public final class Target implements AutoCloseable {
    private static final int BROKERS = 3;
    private static final int HEAP_MEBIBYTES = 384;

    private final Optional<KafkaCluster> own;
    private final Optional<PortLease> exporters;
    private final Map<String, Object> client;
    private final HttpPages pages = new HttpPages();

    private Target(
            Optional<KafkaCluster> own, Optional<PortLease> exporters, Map<String, Object> client) {
        this.own = own;
        this.exporters = exporters;
        this.client = client;
    }

    /**
     * Starts three brokers.
     *
     * @param root the repository's
     * @param directory for their files
     * @param behindLinks whether clients and followers reach them by links that can be delayed
     * @param environment added to each broker's, by its id
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Target start(
            Path root,
            Path directory,
            Map<String, String> brokerProperties,
            boolean behindLinks,
            IntFunction<Map<String, String>> environment)
            throws InterruptedException {
        Path agent = root.resolve("exporter/target/phasewise-exporter.jar");
        PortLease ports = PortLease.take(BROKERS);
        KafkaCluster cluster = null;
        boolean up = false;
        try {
            KafkaCluster.Builder builder =
                    KafkaCluster.builder(root, directory)
                            .brokers(BROKERS)
                            .heapMebibytes(HEAP_MEBIBYTES)
                            .environment(environment)
                            .jvmOption(
                                    id ->
                                            "-javaagent:"
                                                    + agent
                                                    + "=127.0.0.1:"
                                                    + ports.port(id - 1));
            brokerProperties.forEach(builder::brokerProperty);
            if (behindLinks) {
                builder.behindLinks();
            }
            cluster = builder.build();
            cluster.start();
            up = true;
            return new Target(Optional.of(cluster), Optional.of(ports), cluster.clientProperties());
        } finally {
            if (!up) {
                if (cluster != null) {
                    cluster.close();
                }
                ports.close();
            }
        }
    }

    /**
     * Somebody else's cluster.
     *
     * @param client properties to reach it, {@code bootstrap.servers} among them
     */
    public static Target foreign(Map<String, Object> client) {
        return new Target(Optional.empty(), Optional.empty(), Map.copyOf(client));
    }

    /** The brokers, where they are the lab's own to break. */
    public Optional<KafkaCluster> own() {
        return own;
    }

    /**
     * The brokers to break.
     *
     * @throws UsageException when they are not the lab's own
     */
    public KafkaCluster toBreak() throws UsageException {
        return own.orElseThrow(
                () ->
                        new UsageException(
                                List.of(
                                        "faults are refused on a cluster that the lab did not"
                                                + " start; leave out --bootstrap")));
    }

    /** What the brokers run, as far as it is known. */
    public String version() {
        return own.isPresent() ? "Kafka " + KafkaVersion.V4_4 : "not the lab's own";
    }

    /** Properties of a client. */
    public Map<String, Object> client() {
        return new HashMap<>(client);
    }

    /** Addresses of the brokers. */
    public String bootstrap() {
        return String.valueOf(client.get("bootstrap.servers"));
    }

    /** The series of every broker's exporter; empty for somebody else's cluster. */
    public List<Scrape> exporters() throws IOException, InterruptedException {
        List<Scrape> all = new ArrayList<>();
        if (exporters.isPresent()) {
            for (int i = 0; i < BROKERS; i++) {
                all.add(pages.scrape(exporterUrl(i + 1) + "/metrics"));
            }
        }
        return all;
    }

    /** Where a broker's exporter serves, without a path. */
    public String exporterUrl(int broker) {
        return "http://127.0.0.1:" + exporters.orElseThrow().port(broker - 1);
    }

    @Override
    public void close() {
        own.ifPresent(KafkaCluster::close);
        exporters.ifPresent(PortLease::close);
    }
}
