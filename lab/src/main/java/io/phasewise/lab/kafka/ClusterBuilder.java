/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.host.Host;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.kafka.ClusterSettings.Listener;
import io.phasewise.lab.kafka.ClusterSettings.Node;
import io.phasewise.lab.net.PortLease;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Describes a cluster; every setting has a default. */
public final class ClusterBuilder {

    private static final int PORTS = 2;
    private static final int PORTS_BEHIND_LINKS = 5;

    private final Path root;
    private final Path workDirectory;
    private final Map<String, String> brokerProperties = new LinkedHashMap<>();
    private final List<IntFunction<String>> jvmOptions = new ArrayList<>();
    private KafkaVersion version = KafkaVersion.V4_4;
    private int count = 3;
    private int controllers;
    private IntFunction<BrokerPorts> brokerPorts;
    private IntUnaryOperator controllerPorts;
    private ListenerSecurity security = new ListenerSecurity.Plaintext();
    private Path javaHome = Path.of(System.getProperty("java.home"));
    private int heapMebibytes = 256;
    private Duration stopGrace = Duration.ofSeconds(20);
    private IntFunction<Map<String, String>> environment = id -> Map.of();
    private IntFunction<Host> host = id -> Host.THIS;
    private boolean behindLinks;
    private final List<Path> plugins = new ArrayList<>();

    ClusterBuilder(Path root, Path workDirectory) {
        this.root = root;
        this.workDirectory = workDirectory;
    }

    /**
     * Sets the number of controllers in processes of their own; default none: every broker is a
     * controller too.
     */
    public ClusterBuilder controllers(int controllers) {
        this.controllers = controllers;
        return this;
    }

    /** Sets the number of brokers; default 3. */
    public ClusterBuilder brokers(int count) {
        this.count = count;
        return this;
    }

    /** Sets the release line; default 4.4. */
    public ClusterBuilder version(KafkaVersion version) {
        this.version = version;
        return this;
    }

    /** Sets fixed ports instead of free ones, by the broker's id, from 1. */
    public ClusterBuilder ports(IntFunction<BrokerPorts> ofBroker) {
        brokerPorts = ofBroker;
        return this;
    }

    /** Sets fixed ports of controllers in processes of their own, by their number, from 1. */
    public ClusterBuilder controllerPorts(IntUnaryOperator ofController) {
        controllerPorts = ofController;
        return this;
    }

    /** Sets encryption and passwords; default none. */
    public ClusterBuilder security(ListenerSecurity security) {
        this.security = security;
        return this;
    }

    /** Sets a property in the configuration of every broker. */
    public ClusterBuilder brokerProperty(String key, String value) {
        brokerProperties.put(key, value);
        return this;
    }

    /** Adds an option to every node's JVM. */
    public ClusterBuilder jvmOption(String option) {
        jvmOptions.add(id -> option);
        return this;
    }

    /**
     * For brokers that live for a few minutes: their JVM uses only its quick compiler. The
     * optimizing one takes half a minute of processor time in a broker's first minutes, which is
     * more than it saves by then, and it slows what is measured meanwhile.
     */
    public ClusterBuilder shortLived() {
        return jvmOption("-XX:TieredStopAtLevel=1");
    }

    /**
     * Adds an option to every node's JVM that depends on the node's id, for instance an agent with
     * a port.
     */
    public ClusterBuilder jvmOption(IntFunction<String> optionOfBroker) {
        jvmOptions.add(optionOfBroker);
        return this;
    }

    /**
     * Adds variables to every broker's environment that depend on its id, for instance those of a
     * false clock.
     */
    public ClusterBuilder environment(IntFunction<Map<String, String>> environmentOfBroker) {
        environment = environmentOfBroker;
        return this;
    }

    /** Has each node run on a host of its own, by its id; default all on this machine. */
    public ClusterBuilder hosts(IntFunction<Host> hostOfNode) {
        host = hostOfNode;
        return this;
    }

    /**
     * Has clients and other brokers reach every broker through links that can be delayed and
     * paused: one for clients, one for other brokers. Needs free ports, so {@link #ports} may not
     * be called.
     */
    public ClusterBuilder behindLinks() {
        behindLinks = true;
        return this;
    }

    /** Adds a jar to the class path of every broker, after Kafka's own. */
    public ClusterBuilder plugin(Path jar) {
        plugins.add(jar.toAbsolutePath());
        return this;
    }

    /** Runs the brokers on another JDK than this JVM's. */
    public ClusterBuilder javaHome(Path javaHome) {
        this.javaHome = javaHome;
        return this;
    }

    /** Sets the heap of each node, MiB; default 256. */
    public ClusterBuilder heapMebibytes(int heapMebibytes) {
        this.heapMebibytes = heapMebibytes;
        return this;
    }

    /**
     * Sets how long nodes may take to end by themselves when the cluster is closed; default 20 s.
     */
    public ClusterBuilder stopGrace(Duration stopGrace) {
        this.stopGrace = stopGrace;
        return this;
    }

    /**
     * The cluster, not started yet.
     *
     * @throws MissingException when the class path of the version has not been built
     * @throws IllegalStateException when there are no free ports
     * @throws UncheckedIOException when a link's port cannot be bound
     */
    public KafkaCluster build() {
        List<Path> classPath = new ArrayList<>(version.classPath(root));
        classPath.addAll(plugins);
        Optional<PortLease> lease = brokerPorts == null ? Optional.of(takePorts()) : Optional.empty();
        List<Node> brokers = IntStream.rangeClosed(1, count)
                .mapToObj(id -> node(id, brokerPorts.apply(id), environment.apply(id)))
                .toList();
        List<Node> own =
                IntStream.rangeClosed(1, controllers).mapToObj(this::controller).toList();
        ClusterSettings settings = new ClusterSettings(
                version, classPath, javaHome, workDirectory, brokers, own, security, heapMebibytes, brokerProperties);
        List<BrokerLinks> links = new ArrayList<>();
        if (behindLinks) {
            brokers.forEach(node -> links.add(BrokerLinks.open(node.id(), node.ports())));
        }
        return new KafkaCluster(settings, lease, stopGrace, links);
    }

    private Node controller(int number) {
        int port = controllerPorts.applyAsInt(number);
        return node(Controller.id(number), new BrokerPorts(port, port), Map.of());
    }

    private Node node(int id, BrokerPorts ports, Map<String, String> environment) {
        List<String> options =
                jvmOptions.stream().map(option -> option.apply(id)).toList();
        return new Node(id, ports, options, environment, host.apply(id));
    }

    /** Takes free ports: first those of brokers, then those of controllers. */
    private PortLease takePorts() {
        int each = behindLinks ? PORTS_BEHIND_LINKS : PORTS;
        PortLease free = PortLease.take(each * count + controllers);
        brokerPorts = id -> ports(free, (id - 1) * each);
        controllerPorts = number -> free.port(each * count + number - 1);
        return free;
    }

    private BrokerPorts ports(PortLease free, int first) {
        if (!behindLinks) {
            return new BrokerPorts(free.port(first), free.port(first + 1));
        }
        return new BrokerPorts(
                new Listener(free.port(first), free.port(first + 2)),
                free.port(first + 1),
                Optional.of(new Listener(free.port(first + 3), free.port(first + 4))));
    }
}
