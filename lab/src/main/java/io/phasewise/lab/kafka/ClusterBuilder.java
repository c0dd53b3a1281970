/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

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
    private boolean behindLinks;
    private final List<Path> plugins = new ArrayList<>();

    ClusterBuilder(Path root, Path workDirectory) {
        this.root = root;
        this.workDirectory = workDirectory;
    }

    /** How many controllers that are no brokers; none unless said: every broker is one, too. */
    public ClusterBuilder controllers(int controllers) {
        this.controllers = controllers;
        return this;
    }

    /** How many brokers, each a controller too; 3 unless said. */
    public ClusterBuilder brokers(int count) {
        this.count = count;
        return this;
    }

    /** The release line; 4.4 unless said. */
    public ClusterBuilder version(KafkaVersion version) {
        this.version = version;
        return this;
    }

    /** Fixed ports instead of free ones, each broker its own by its id, from 1. */
    public ClusterBuilder ports(IntFunction<BrokerPorts> ofBroker) {
        brokerPorts = ofBroker;
        return this;
    }

    /** Fixed ports for controllers that are no brokers, by their number, from 1. */
    public ClusterBuilder controllerPorts(IntUnaryOperator ofController) {
        controllerPorts = ofController;
        return this;
    }

    /** In the clear unless said. */
    public ClusterBuilder security(ListenerSecurity security) {
        this.security = security;
        return this;
    }

    /** Overrides or adds to the configuration of every broker. */
    public ClusterBuilder brokerProperty(String key, String value) {
        brokerProperties.put(key, value);
        return this;
    }

    /** Adds to every broker's command line. */
    public ClusterBuilder jvmOption(String option) {
        jvmOptions.add(id -> option);
        return this;
    }

    /**
     * For brokers of a few minutes: their code is compiled quickly, not well. The better compiler
     * takes half a minute of a processor from a broker's first minutes, which is more than it gives
     * back by then, and all that is measured meanwhile waits for it.
     */
    public ClusterBuilder shortLived() {
        return jvmOption("-XX:TieredStopAtLevel=1");
    }

    /**
     * Adds to every node's command line, each its own by its id, for instance an agent with a port.
     */
    public ClusterBuilder jvmOption(IntFunction<String> optionOfBroker) {
        jvmOptions.add(optionOfBroker);
        return this;
    }

    /** Adds to every broker's environment, each its own, for instance a false clock. */
    public ClusterBuilder environment(IntFunction<Map<String, String>> environmentOfBroker) {
        environment = environmentOfBroker;
        return this;
    }

    /**
     * Has clients and other brokers reach every broker by links that can be delayed and paused, one
     * for clients and one for other brokers. Needs free ports: none may be given.
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

    /** Heap of each broker, in MiB; 256 unless said. */
    public ClusterBuilder heapMebibytes(int heapMebibytes) {
        this.heapMebibytes = heapMebibytes;
        return this;
    }

    /**
     * How long brokers may take to end by themselves when the cluster is closed; 20 s unless said.
     */
    public ClusterBuilder stopGrace(Duration stopGrace) {
        this.stopGrace = stopGrace;
        return this;
    }

    /**
     * The cluster, not started yet.
     *
     * @throws MissingException when the class path of the version is not there
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
        return new Node(id, ports, options, environment);
    }

    /** Free ones, of brokers first. */
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
