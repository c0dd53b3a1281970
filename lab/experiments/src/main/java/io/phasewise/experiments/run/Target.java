/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.cluster.MissingException;
import io.phasewise.experiments.load.LoadTopic;
import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;
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
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(15);

    private final Optional<LabCluster> own;
    private final Map<String, Object> client;

    private Target(Optional<LabCluster> own, Map<String, Object> client) {
        this.own = own;
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
    public static Target start(Path root, Path directory, UnaryOperator<ClusterBuilder> special)
            throws MissingException, InterruptedException {
        LabCluster cluster = LabCluster.start(root, directory, BROKERS, 0, special);
        return new Target(Optional.of(cluster), cluster.kafka().clientProperties());
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
        return new Target(Optional.empty(), Map.copyOf(client));
    }

    /** Whether the brokers are the lab's own to break. */
    public boolean own() {
        return own.isPresent();
    }

    /**
     * The brokers to break.
     *
     * @throws UsageException when they are not the lab's own
     */
    public KafkaCluster toBreak() throws UsageException {
        return own.map(LabCluster::kafka)
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "faults are refused on a cluster that the lab did not"
                                                + " start; leave out --bootstrap"));
    }

    /** What the brokers are, for people: names to versions and sizes. */
    public Map<String, String> versions() {
        return own.isPresent() ? LabCluster.versions() : Map.of("brokers", "not the lab's own");
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
        for (int broker = 1; own.isPresent() && broker <= BROKERS; broker++) {
            all.add(own.get().scrape(broker));
        }
        return all;
    }

    @Override
    public void close() {
        own.ifPresent(LabCluster::close);
    }
}
