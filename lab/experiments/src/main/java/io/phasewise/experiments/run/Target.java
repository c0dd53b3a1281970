/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.cluster.MissingException;
import io.phasewise.experiments.load.LoadTopic;
import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * The cluster that an experiment runs on: three brokers of the lab's own, each with the exporter's
 * agent, or somebody else's, which is measured and never broken.
 */
public final class Target implements AutoCloseable {
    private static final int BROKERS = 3;

    /** That are no brokers. */
    public static final int MOST_CONTROLLERS = 3;

    private static final int HEAP_MEBIBYTES = 384;
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(15);

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
     * @param special says what is special about them
     * @throws MissingException when something they need is not there
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Target start(
            Path root,
            Path directory,
            Map<String, String> brokerProperties,
            UnaryOperator<KafkaCluster.Builder> special)
            throws MissingException, InterruptedException {
        Path agent = root.resolve("exporter/target/phasewise-exporter.jar");
        requireThere(root, agent);
        PortLease ports = PortLease.take(BROKERS + MOST_CONTROLLERS);
        KafkaCluster cluster = null;
        boolean up = false;
        try {
            KafkaCluster.Builder builder =
                    KafkaCluster.builder(root, directory)
                            .brokers(BROKERS)
                            .heapMebibytes(HEAP_MEBIBYTES)
                            // Their files go when the run does.
                            .stopGrace(Duration.ZERO)
                            .jvmOption(
                                    id ->
                                            "-javaagent:%s=127.0.0.1:%d"
                                                    .formatted(agent, ports.port(exporter(id))));
            brokerProperties.forEach(builder::brokerProperty);
            cluster = special.apply(builder).build();
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

    /** What cannot be started is said before anything is. */
    private static void requireThere(Path root, Path agent) throws MissingException {
        try {
            KafkaVersion.V4_4.classPath(root);
        } catch (IllegalStateException notThere) {
            throw new MissingException(notThere.getMessage());
        }
        if (!Files.isRegularFile(agent)) {
            throw new MissingException(
                    "no exporter, " + agent + "; get it with: ./mvnw -pl exporter -am package");
        }
    }

    /**
     * Somebody else's cluster, once it has answered.
     *
     * @param client properties to reach it, {@code bootstrap.servers} among them
     * @throws UsageException when the properties are none, or it has topics of another run
     * @throws IOException when it does not answer
     * @throws InterruptedException when interrupted
     */
    public static Target foreign(Map<String, Object> client)
            throws UsageException, IOException, InterruptedException {
        Map<String, Object> asking = new HashMap<>(client);
        asking.put("default.api.timeout.ms", Long.toString(ANSWER_BOUND.toMillis()));
        asking.put("request.timeout.ms", Long.toString(ANSWER_BOUND.toMillis()));
        try (Admin admin = Admin.create(asking)) {
            List<String> taken =
                    admin.listTopics().names().get().stream()
                            .filter(name -> name.startsWith(LoadTopic.TOPICS))
                            .sorted()
                            .toList();
            if (!taken.isEmpty()) {
                throw new UsageException(
                        "--bootstrap: the cluster has topics of another run, which would measure"
                                + " this one's load, or which was killed: "
                                + String.join(", ", taken)
                                + "; allowed: none that begins with "
                                + LoadTopic.TOPICS);
            }
        } catch (ExecutionException e) {
            String said = "the cluster at %s does not answer: %s";
            throw new IOException(
                    said.formatted(client.get("bootstrap.servers"), e.getCause().getMessage()), e);
        } catch (KafkaException refused) {
            Throwable reason = refused.getCause() == null ? refused : refused.getCause();
            throw new UsageException(
                    "--bootstrap, --client-config: refused: " + reason.getMessage());
        }
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
                                "faults are refused on a cluster that the lab did not start; leave"
                                        + " out --bootstrap"));
    }

    /** What the brokers run, as far as it is known. */
    public String version() {
        return own.isEmpty() ? "not the lab's own" : "Kafka " + KafkaVersion.V4_4;
    }

    /** Heap of each broker, for people, as far as it is known. */
    public String heap() {
        return own.isEmpty() ? "not the lab's own" : HEAP_MEBIBYTES + " MiB each";
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
    public List<TimedScrape> exporters() throws IOException, InterruptedException {
        List<TimedScrape> all = new ArrayList<>();
        if (exporters.isPresent()) {
            for (int i = 0; i < BROKERS; i++) {
                all.add(pages.timedScrape(exporterUrl(i + 1) + "/metrics"));
            }
        }
        return all;
    }

    /** Which port is that of a node's exporter. */
    private static int exporter(int node) {
        return node < Controller.FIRST ? node - 1 : BROKERS + node - Controller.FIRST;
    }

    /** Where a node's exporter serves, without a path. */
    public String exporterUrl(int node) {
        return "http://127.0.0.1:" + exporters.orElseThrow().port(exporter(node));
    }

    @Override
    public void close() {
        own.ifPresent(KafkaCluster::close);
        exporters.ifPresent(PortLease::close);
    }
}
