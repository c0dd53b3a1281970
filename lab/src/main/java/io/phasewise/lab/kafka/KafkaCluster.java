/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.fault.FaultyLink;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ParallelTasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A real Kafka cluster on this machine, each broker in a JVM of its own: starts it, waits until it
 * serves, gives access to its brokers, and stops it for certain. {@link ClusterPlan} decides its
 * layout.
 *
 * <pre>{@code
 * try (KafkaCluster cluster = KafkaCluster.builder(root, directory).brokers(3).build()) {
 *     cluster.start();
 *     cluster.createTopic("orders", 3, 3, Map.of());
 *     cluster.broker(2).kill();
 * }
 * }</pre>
 *
 * <p>Data stays in the directory: a later cluster in the same directory finds it.
 */
public final class KafkaCluster implements AutoCloseable {

    private static final Duration SYNC_BOUND = Duration.ofSeconds(90);

    private final ClusterSettings settings;
    private final ClusterPlan plan;
    private final Optional<PortLease> lease;
    private final Duration stopGrace;
    private final List<KafkaBroker> brokers;
    private final List<KafkaBroker> controllers;
    private final List<BrokerLinks> links;
    private final ClusterAdmin admin;

    KafkaCluster(ClusterSettings settings, Optional<PortLease> lease, Duration stopGrace, List<BrokerLinks> links) {
        this.settings = settings;
        this.links = links;
        this.plan = new ClusterPlan(settings);
        this.lease = lease;
        this.stopGrace = stopGrace;
        this.admin = new ClusterAdmin(clientProperties());
        this.brokers = plan.brokers().stream()
                .map(broker -> new KafkaBroker(broker, admin::registered))
                .toList();
        this.controllers = plan.controllers().stream()
                .map(node -> new KafkaBroker(node, KafkaBroker::listens))
                .toList();
    }

    /**
     * Begins the description of a cluster. The default is three brokers of Kafka 4.4 on free ports,
     * without encryption.
     *
     * @param root the repository's root, where the brokers' class paths are
     * @param workDirectory for all files of the cluster; created when absent
     */
    public static ClusterBuilder builder(Path root, Path workDirectory) {
        return new ClusterBuilder(root, workDirectory);
    }

    /**
     * Starts all brokers and waits until every one of them is registered and unfenced.
     *
     * @throws AwaitException when one ends or is not ready in time; the message has the tails
     *     of the logs, and nothing is left running
     * @throws IllegalStateException when a port is taken
     * @throws UncheckedIOException when files cannot be written or storage cannot be formatted
     * @throws InterruptedException when interrupted while waiting; nothing is left running
     */
    public void start() throws InterruptedException {
        prepare();
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            launch();
            awaitReady();
        } catch (RuntimeException | InterruptedException notUp) {
            close();
            throw notUp;
        }
    }

    /**
     * Writes configuration and certificates, and formats storage that is not formatted yet; starts
     * nothing.
     *
     * @throws UncheckedIOException when files cannot be written or storage cannot be formatted
     */
    public void prepare() {
        try {
            new ClusterFiles(settings, plan).write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts the processes of all nodes that do not run; {@link #prepare} comes first, {@link
     * #awaitReady} after.
     */
    public void launch() {
        nodes().forEach(KafkaBroker::launch);
    }

    /**
     * Waits until every broker is registered and unfenced.
     *
     * @throws AwaitException when one ends or is not ready in time; the message has the tails
     *     of the logs
     * @throws InterruptedException when interrupted while waiting
     */
    public void awaitReady() throws InterruptedException {
        List<ManagedProcess> processes =
                nodes().stream().flatMap(node -> node.process().stream()).toList();
        for (KafkaBroker broker : brokers) {
            broker.awaitRegistered(processes);
        }
    }

    /**
     * All nodes in the order in which they start: controllers in processes of their own, then
     * brokers.
     */
    public List<KafkaBroker> nodes() {
        return Stream.concat(controllers.stream(), brokers.stream()).toList();
    }

    /** The controllers in processes of their own, by id. */
    public List<KafkaBroker> controllers() {
        return controllers;
    }

    /** All brokers, by id. */
    public List<KafkaBroker> brokers() {
        return brokers;
    }

    /**
     * One broker.
     *
     * @param id from 1
     * @throws IllegalArgumentException when no broker has that id
     */
    public KafkaBroker broker(int id) {
        if (id < 1 || id > brokers.size()) {
            throw new IllegalArgumentException("broker " + id + ": there are 1 to " + brokers.size());
        }
        return brokers.get(id - 1);
    }

    /**
     * The link through which clients reach a broker.
     *
     * @param id of the broker, from 1
     * @throws IllegalStateException when the cluster was not built {@link
     *     ClusterBuilder#behindLinks}
     */
    public FaultyLink clientLink(int id) {
        return links(id).clients();
    }

    /**
     * The link through which other brokers reach a broker, mostly to replicate: a follower fetches
     * through its leader's link.
     *
     * @param id of the broker that is reached, from 1
     * @throws IllegalStateException when the cluster was not built {@link
     *     ClusterBuilder#behindLinks}
     */
    public FaultyLink replicationLink(int id) {
        return links(id).replication();
    }

    private BrokerLinks links(int id) {
        if (links.isEmpty()) {
            throw new IllegalStateException("this cluster's brokers are reached directly");
        }
        return links.get(broker(id).id() - 1);
    }

    /** How it is laid out. */
    public ClusterPlan plan() {
        return plan;
    }

    /** Addresses of all brokers, as {@code bootstrap.servers} wants them. */
    public String bootstrap() {
        return plan.bootstrap();
    }

    /**
     * Properties for a client of the super user, with {@code bootstrap.servers} and security.
     */
    public Map<String, Object> clientProperties() {
        return settings.security() instanceof ListenerSecurity.SaslSsl sasl
                ? clientProperties(sasl.superUser(), sasl.superPassword())
                : clientProperties("", "");
    }

    /**
     * Properties for a client of a user, with {@code bootstrap.servers} and security. The password
     * is not checked here.
     *
     * @param user ignored by a cluster without passwords
     */
    public Map<String, Object> clientProperties(String user, String password) {
        return new HashMap<>(plan.clientProperties(user, password));
    }

    /** An admin client: the same one at each call, closed with the cluster. */
    public Admin admin() {
        return admin.client();
    }

    /**
     * Creates a topic and waits until every partition has a leader and all its replicas in sync.
     *
     * @throws AwaitException when that takes too long
     * @throws InterruptedException when interrupted while waiting
     */
    public void createTopic(String name, int partitions, int replicationFactor, Map<String, String> configuration)
            throws InterruptedException {
        admin.createTopic(new NewTopic(name, partitions, (short) replicationFactor).configs(configuration));
    }

    /**
     * Waits until all replicas of every partition are in sync. Until then the cluster still
     * recovers, although its brokers run.
     *
     * @throws AwaitException when that takes longer than 90 s
     */
    public void awaitInSync() throws InterruptedException {
        admin.awaitInSync("every topic", SYNC_BOUND, admin::topics);
    }

    /** Closes the admin client; the brokers go on. */
    public void release() {
        admin.close();
    }

    /**
     * Stops all brokers at once and waits, with a bound; kills those that do not end. One after the
     * other, the last ones could not stop in an orderly way: where every broker is a controller,
     * there would be no quorum left to ask. Controllers in processes of their own are stopped after
     * the brokers.
     *
     * @throws InterruptedException when interrupted; the brokers are killed then
     */
    public void stop() throws InterruptedException {
        try {
            stop(brokers);
        } finally {
            stop(controllers);
        }
    }

    private void stop(List<KafkaBroker> nodes) throws InterruptedException {
        try {
            ParallelTasks.run(nodes.stream()
                    .map(node -> (ParallelTasks.Task) () -> node.stop(stopGrace))
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Closes the admin client, stops all nodes as {@link #stop} does, and gives the ports back. The
     * data stays.
     */
    @Override
    public void close() {
        release();
        try {
            stop();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            links.forEach(BrokerLinks::close);
            lease.ifPresent(PortLease::close);
        }
    }
}
