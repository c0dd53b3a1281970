/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.stack.CanaryJvm;
import io.phasewise.lab.stack.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A cluster of the lab, each node with the exporter's agent. */
public final class LabCluster implements AutoCloseable {
    private static final int HEAP_MEBIBYTES = 384;

    private final HttpPages pages = new HttpPages();
    private final PortLease exporters;
    private final Path canaryJar;
    private final Path directory;
    private final ClusterSpec spec;
    private KafkaCluster kafka;

    private LabCluster(Path canaryJar, Path directory, ClusterSpec spec) {
        this.canaryJar = canaryJar;
        this.directory = directory;
        this.spec = spec;
        this.exporters = PortLease.take(spec.nodes());
    }

    /**
     * Starts the cluster.
     *
     * @param root of the repository
     * @param directory for files of brokers and canaries
     * @param spec here only its brokers, controllers and links count; the rest is left to the
     *     caller
     * @param special sets what else the brokers need
     * @throws io.phasewise.common.cli.MissingException when something is not built or not
     *     installed; nothing was started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static LabCluster start(Path root, Path directory, ClusterSpec spec, UnaryOperator<ClusterBuilder> special)
            throws InterruptedException {
        return start(root, directory, spec, Optional.empty(), special);
    }

    /**
     * As {@link #start(Path, Path, ClusterSpec, UnaryOperator)}.
     *
     * @param exporter the exporters' configuration file; empty for the defaults
     */
    public static LabCluster start(
            Path root, Path directory, ClusterSpec spec, Optional<Path> exporter, UnaryOperator<ClusterBuilder> special)
            throws InterruptedException {
        Installation built = new Installation(root);
        built.requireBuilt();
        String agent = "-javaagent:" + built.brokerAgent() + "=";
        String configured = exporter.map(file -> ":" + file).orElse("");
        LabCluster cluster = new LabCluster(built.canaryJar(), directory, spec);
        try {
            ClusterBuilder builder = KafkaCluster.builder(root, directory.resolve("kafka"))
                    .brokers(spec.brokers())
                    .controllers(spec.controllers())
                    .heapMebibytes(HEAP_MEBIBYTES)
                    .stopGrace(Duration.ZERO)
                    .jvmOption(id -> agent + cluster.exporter(id) + configured);
            cluster.kafka = special.apply(spec.links() ? builder.behindLinks() : builder)
                    .build();
            cluster.kafka.start();
            return cluster;
        } catch (RuntimeException | InterruptedException notUp) {
            cluster.close();
            throw notUp;
        }
    }

    /** Its brokers and controllers. */
    public KafkaCluster kafka() {
        return kafka;
    }

    /**
     * Starts a canary of these brokers and waits until a probe completed the round trip for each.
     *
     * @param settings below its cluster; each one overrides those before it, key by key at
     *     every depth
     * @param jvmOptions added to the usual options of its JVM
     * @return to be closed by the caller
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public CanaryProcess canary(List<Map<String, Object>> settings, String... jvmOptions)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(CanaryJvm.options());
        options.addAll(List.of(jvmOptions));
        return new CanaryProcess(StandaloneCanary.start(canaryJar, canaryFiles(), configuration(settings), options));
    }

    /**
     * The same, without waiting until it is ready: while no broker answers it never is.
     *
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public CanaryProcess unreadyCanary(List<Map<String, Object>> settings) throws IOException, InterruptedException {
        return new CanaryProcess(
                StandaloneCanary.launch(canaryJar, canaryFiles(), configuration(settings), CanaryJvm.options()));
    }

    private Path canaryFiles() throws IOException {
        return Files.createTempDirectory(directory, "canary");
    }

    private Map<String, Object> configuration(List<Map<String, Object>> settings) {
        return CanaryProcess.configuration(kafka.bootstrap(), settings);
    }

    /** Host and port of a node's exporter. */
    public String exporter(int node) {
        return "127.0.0.1:" + exporters.port(spec.index(node));
    }

    /** The series of a broker's exporter. */
    public TimedScrape scrape(int broker) throws IOException, InterruptedException {
        return pages.scrape("http://" + exporter(broker) + "/metrics");
    }

    /** The series of every broker's exporter. */
    public List<TimedScrape> scrapes() throws IOException, InterruptedException {
        List<TimedScrape> all = new ArrayList<>();
        for (int broker = 1; broker <= spec.brokers(); broker++) {
            all.add(scrape(broker));
        }
        return all;
    }

    /** Versions and sizes by name, for people. */
    public static Map<String, String> versions() {
        return new TreeMap<>(Map.of(
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
