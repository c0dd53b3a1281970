/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.fault.FaultyLink;
import io.phasewise.lab.kafka.ClusterPlan.BrokerPlan;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.kafka.ClusterSettings.Listener;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.Ports;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * A real Kafka cluster on this machine, each broker a JVM of its own: starts it, waits until it
 * serves, hands out its brokers to be broken, stops it for certain. How it is laid out is decided
 * by {@link ClusterPlan}.
 *
 * <pre>{@code
 * try (KafkaCluster cluster = KafkaCluster.builder(root, directory).brokers(3).build()) {
 *     cluster.start();
 *     cluster.createTopic("orders", 3, 3, Map.of());
 *     cluster.broker(2).kill();
 * }
 * }</pre>
 *
 * <p>Data stays in the directory: a later cluster in the same directory finds it. Brokers may
 * outlive the launcher; {@link #attach} takes them over.
 */
public final class KafkaCluster implements AutoCloseable {

    private static final Duration START_BOUND = Duration.ofSeconds(90);
    private static final Duration ADMIN_BOUND = Duration.ofSeconds(20);
    private static final Duration REQUEST_BOUND = Duration.ofSeconds(5);
    private static final int TAIL_LINES = 40;

    private final ClusterSettings settings;
    private final ClusterPlan plan;
    private final Optional<PortLease> lease;
    private final Duration stopGrace;
    private final List<KafkaBroker> brokers;
    private final List<KafkaBroker> controllers;
    private final List<Links> links;
    private Admin admin;

    /** What stands in front of one broker. */
    private record Links(FaultyLink clients, FaultyLink replication) {}

    private KafkaCluster(
            ClusterSettings settings,
            Optional<PortLease> lease,
            Duration stopGrace,
            List<Links> links) {
        this.settings = settings;
        this.links = links;
        this.plan = new ClusterPlan(settings);
        this.lease = lease;
        this.stopGrace = stopGrace;
        this.brokers =
                plan.brokers().stream()
                        .map(broker -> new KafkaBroker(broker, this::registered, START_BOUND))
                        .toList();
        this.controllers =
                plan.controllers().stream()
                        .map(each -> new KafkaBroker(each, KafkaCluster::listens, START_BOUND))
                        .toList();
    }

    /**
     * Starts to describe a cluster; unless said otherwise one of three brokers of Kafka 4.4 on free
     * ports, in the clear.
     *
     * @param root the repository's root, where the brokers' class paths are
     * @param workDirectory for all files of the cluster; created when absent
     */
    public static Builder builder(Path root, Path workDirectory) {
        return new Builder(root, workDirectory);
    }

    /**
     * Starts all brokers and waits until every one of them is registered and unfenced.
     *
     * @throws AwaitException when one ends or does not come; the message holds the tails of the
     *     logs, and nothing is left running
     * @throws IllegalStateException when a port is taken
     * @throws UncheckedIOException when files cannot be written or storage cannot be formatted
     * @throws InterruptedException when interrupted while waiting; nothing is left running
     */
    public void start() throws InterruptedException {
        prepare();
        boolean up = false;
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            launch();
            awaitReady();
            up = true;
        } finally {
            if (!up) {
                close();
            }
        }
    }

    /**
     * Writes configuration and certificates and formats the storage that is not yet; starts
     * nothing.
     *
     * @throws UncheckedIOException when files cannot be written or storage cannot be formatted
     */
    public void prepare() {
        try {
            if (settings.security() instanceof ListenerSecurity.SaslSsl) {
                writeCertificates();
            }
            for (BrokerPlan node : plan.nodes()) {
                writeConfiguration(node);
            }
            new StorageFormatter(settings.classPath())
                    .format(plan.nodes(), clusterId(), plan.scramCredentials());
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
     * @throws AwaitException when one ends or does not come; the message holds the tails of the
     *     logs
     * @throws InterruptedException when interrupted while waiting
     */
    public void awaitReady() throws InterruptedException {
        List<ManagedProcess> processes =
                nodes().stream().flatMap(node -> node.process().stream()).toList();
        Await.that("all " + brokers.size() + " brokers are part of the cluster", START_BOUND)
                .every(Duration.ofMillis(100))
                .needing(processes)
                .until(
                        () -> {
                            for (KafkaBroker broker : brokers) {
                                Optional<String> missing = registered(broker).missing();
                                if (missing.isPresent()) {
                                    return missing;
                                }
                            }
                            return Optional.empty();
                        });
    }

    /**
     * Takes over brokers that an earlier launcher started in the same directory on the same ports.
     *
     * @param identities by node id; nodes without one count as never started
     */
    public void attach(Map<Integer, ProcessIdentity> identities) {
        nodes().stream()
                .filter(node -> identities.containsKey(node.id()))
                .forEach(node -> node.attach(identities.get(node.id())));
    }

    /** Controllers of their own and brokers, in the order in which they start. */
    public List<KafkaBroker> nodes() {
        return Stream.concat(controllers.stream(), brokers.stream()).toList();
    }

    /** The controllers that are no brokers, by id. */
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
     * @throws IllegalArgumentException when there is none of that id
     */
    public KafkaBroker broker(int id) {
        if (id < 1 || id > brokers.size()) {
            throw new IllegalArgumentException(
                    "broker " + id + ": there are 1 to " + brokers.size());
        }
        return brokers.get(id - 1);
    }

    /**
     * The link by which clients reach a broker.
     *
     * @param id the broker's, from 1
     * @throws IllegalStateException when the cluster was not built {@link Builder#behindLinks}
     */
    public FaultyLink clientLink(int id) {
        return links(id).clients();
    }

    /**
     * The link by which other brokers reach a broker, to follow it above all: a follower fetches
     * from its leader by the leader's link.
     *
     * @param id the broker's that is reached, from 1
     * @throws IllegalStateException when the cluster was not built {@link Builder#behindLinks}
     */
    public FaultyLink replicationLink(int id) {
        return links(id).replication();
    }

    private Links links(int id) {
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
     * Properties for a client that may do everything, {@code bootstrap.servers} and security
     * included.
     */
    public Map<String, Object> clientProperties() {
        return settings.security() instanceof ListenerSecurity.SaslSsl sasl
                ? clientProperties(sasl.superUser(), sasl.superPassword())
                : clientProperties("", "");
    }

    /**
     * Properties for a client that is some user, {@code bootstrap.servers} and security included.
     * Whether the password is right is not checked here.
     *
     * @param user ignored by a cluster without passwords
     */
    public Map<String, Object> clientProperties(String user, String password) {
        return new HashMap<>(plan.clientProperties(user, password));
    }

    /** An administrator's client, the same at each call, closed with the cluster. */
    public synchronized Admin admin() {
        if (admin == null) {
            Map<String, Object> properties = clientProperties();
            properties.put("client.id", "phasewise-lab");
            // A broker that was down must be tried again soon, or waiting for it takes seconds
            // longer than its start.
            properties.put("reconnect.backoff.max.ms", "200");
            properties.put("request.timeout.ms", Long.toString(REQUEST_BOUND.toMillis()));
            properties.put("default.api.timeout.ms", "15000");
            admin = Admin.create(properties);
        }
        return admin;
    }

    /**
     * Creates a topic and waits until every partition has a leader and all its replicas in sync.
     *
     * @throws AwaitException when it does not get there
     * @throws InterruptedException when interrupted while waiting
     */
    public void createTopic(
            String name, int partitions, int replicationFactor, Map<String, String> configuration)
            throws InterruptedException {
        NewTopic topic =
                new NewTopic(name, partitions, (short) replicationFactor).configs(configuration);
        long start = System.nanoTime();
        try {
            admin().createTopics(List.of(topic))
                    .all()
                    .get(ADMIN_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // A request that got no answer in time is made again, and may find what it created.
            boolean mayBeOurs =
                    e.getCause() instanceof TopicExistsException
                            && System.nanoTime() - start >= REQUEST_BOUND.toNanos();
            if (!mayBeOurs) {
                throw new IllegalStateException("cannot create topic " + name, e);
            }
        }
        Await.that("topic " + name + " is in sync", ADMIN_BOUND)
                .until(
                        () -> {
                            boolean inSync =
                                    admin()
                                            .describeTopics(List.of(name))
                                            .allTopicNames()
                                            .get(5, TimeUnit.SECONDS)
                                            .get(name)
                                            .partitions()
                                            .stream()
                                            .allMatch(
                                                    partition ->
                                                            partition.leader() != null
                                                                    && partition.isr().size()
                                                                            == replicationFactor);
                            return inSync ? Optional.empty() : Optional.of("replicas missing");
                        });
    }

    /**
     * Runs a block that uses the cluster; when it fails, the tails of all broker logs come with the
     * failure as a suppressed exception.
     *
     * @throws Exception what the block throws
     */
    public <T> T withLogsOnFailure(Callable<T> block) throws Exception {
        try {
            return block.call();
        } catch (Exception | AssertionError failure) {
            failure.addSuppressed(
                    new IllegalStateException(
                            "broker logs at that time:\n" + logTails(TAIL_LINES)));
            throw failure;
        }
    }

    /** The last lines of every broker's log, under a heading each. */
    public String logTails(int lines) {
        StringBuilder text = new StringBuilder();
        nodes().forEach(
                        node -> {
                            text.append("--- ").append(node.log()).append('\n');
                            node.tail(lines).forEach(line -> text.append(line).append('\n'));
                        });
        return text.toString();
    }

    /** Lets go of the brokers: they run on, and a later launcher may {@link #attach} them. */
    public synchronized void release() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }

    /**
     * Stops all brokers at once and waits, with a bound; kills those that do not end. At once,
     * because in a cluster where every node votes the last ones could not stop in an orderly way:
     * there would be no quorum left to ask. Controllers of their own are stopped after them.
     *
     * @return how each node came to its end, by id
     * @throws InterruptedException when interrupted; the brokers are killed then
     */
    public Map<Integer, ManagedProcess.Ending> stop() throws InterruptedException {
        Map<Integer, ManagedProcess.Ending> endings = new ConcurrentSkipListMap<>();
        try {
            stop(brokers, endings);
        } finally {
            stop(controllers, endings);
        }
        return endings;
    }

    private void stop(List<KafkaBroker> nodes, Map<Integer, ManagedProcess.Ending> endings)
            throws InterruptedException {
        joinOrKill(nodes.stream().map(node -> stopper(node, stopGrace, endings)).toList());
    }

    /**
     * Closes the administrator's client, stops all brokers as {@link #stop} does and gives free
     * ports back. The data stays.
     */
    @Override
    public void close() {
        release();
        try {
            stop();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            links.forEach(
                    link -> List.of(link.clients(), link.replication()).forEach(FaultyLink::close));
            lease.ifPresent(PortLease::close);
        }
    }

    private static void joinOrKill(List<Thread> stoppers) throws InterruptedException {
        try {
            for (Thread stopper : stoppers) {
                stopper.join();
            }
        } catch (InterruptedException interrupted) {
            stoppers.forEach(Thread::interrupt);
            // Killing is quick, and nothing may be left running when this returns.
            for (Thread stopper : stoppers) {
                stopper.join();
            }
            throw interrupted;
        }
    }

    /**
     * One thread each: a broker that goes last must not have its grace shortened by those before
     * it.
     */
    private static Thread stopper(
            KafkaBroker broker, Duration grace, Map<Integer, ManagedProcess.Ending> endings) {
        Thread stopper =
                new Thread(
                        () -> {
                            try {
                                endings.put(broker.id(), broker.stop(grace));
                            } catch (InterruptedException inAHurry) {
                                endings.put(broker.id(), ManagedProcess.Ending.KILLED);
                            }
                        },
                        "stop-" + broker.name());
        stopper.start();
        return stopper;
    }

    private Await.Probe registered(KafkaBroker broker) {
        return () -> {
            // The client complains in the log about each address where nobody listens: not asked
            // before somebody does.
            if (!Ports.accepts(broker.ownPort())) {
                return Optional.of(broker.name() + " does not listen on port " + broker.ownPort());
            }
            boolean known =
                    admin().describeCluster().nodes().get(5, TimeUnit.SECONDS).stream()
                            .mapToInt(Node::id)
                            .anyMatch(id -> id == broker.id());
            return known ? Optional.empty() : Optional.of(broker.name() + " is not registered yet");
        };
    }

    private static Await.Probe listens(KafkaBroker controller) {
        return () ->
                Ports.accepts(controller.ownPort())
                        ? Optional.empty()
                        : Optional.of(
                                controller.name()
                                        + " does not listen on port "
                                        + controller.ownPort());
    }

    private String clusterId() throws IOException {
        Path file = settings.workDirectory().resolve("cluster.id");
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        String id = Uuid.randomUuid().toString();
        Files.createDirectories(settings.workDirectory());
        Files.writeString(file, id + "\n");
        return id;
    }

    private void writeCertificates() throws IOException {
        Path directory = plan.tlsDirectory();
        Files.createDirectories(directory);
        CertificateAuthority authority =
                new CertificateAuthority("phasewise-lab", InstantSource.system());
        TlsFiles.writeTrustPem(directory.resolve("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(
                directory.resolve("broker.pem"),
                authority.issueForThisHost(ClusterPlan.BROKER_COMMON_NAME));
    }

    private static void writeConfiguration(BrokerPlan broker) throws IOException {
        Files.createDirectories(broker.configuration().getParent());
        PropertiesFile.write(broker.configuration(), broker.serverProperties());
        PropertiesFile.write(broker.loggingConfiguration(), broker.loggingProperties());
    }

    /** Describes a cluster; every setting has a default. */
    public static final class Builder {

        private static final int PORTS = 2;
        private static final int PORTS_BEHIND_LINKS = 5;

        private final Path root;
        private final Path workDirectory;
        private final Map<String, String> brokerProperties = new LinkedHashMap<>();
        private final List<IntFunction<String>> jvmOptions = new ArrayList<>();
        private KafkaVersion version = KafkaVersion.V4_4;
        private int count = 3;
        private int controllers;
        private List<Integer> controllerPorts = List.of();
        private List<BrokerPorts> ports = List.of();
        private ListenerSecurity security = new ListenerSecurity.Plaintext();
        private Path javaHome = Path.of(System.getProperty("java.home"));
        private int heapMebibytes = 256;
        private Duration stopGrace = Duration.ofSeconds(20);
        private IntFunction<Map<String, String>> environment = id -> Map.of();
        private boolean behindLinks;
        private final List<Path> plugins = new ArrayList<>();

        private Builder(Path root, Path workDirectory) {
            this.root = root;
            this.workDirectory = workDirectory;
        }

        /** How many controllers that are no brokers; none unless said: every broker is one, too. */
        public Builder controllers(int controllers) {
            this.controllers = controllers;
            return this;
        }

        /** As many, on fixed ports. */
        public Builder controllerPorts(List<Integer> ports) {
            this.controllerPorts = List.copyOf(ports);
            return controllers(ports.size());
        }

        /** How many brokers, each a controller too; 3 unless said. */
        public Builder brokers(int count) {
            this.count = count;
            return this;
        }

        /** The release line; 4.4 unless said. */
        public Builder version(KafkaVersion version) {
            this.version = version;
            return this;
        }

        /** Fixed ports, one pair for each broker, instead of free ones. */
        public Builder ports(List<BrokerPorts> ports) {
            this.ports = List.copyOf(ports);
            return this;
        }

        /** In the clear unless said. */
        public Builder security(ListenerSecurity security) {
            this.security = security;
            return this;
        }

        /** Overrides or adds to the configuration of every broker. */
        public Builder brokerProperty(String key, String value) {
            brokerProperties.put(key, value);
            return this;
        }

        /** Adds to every broker's command line. */
        public Builder jvmOption(String option) {
            jvmOptions.add(id -> option);
            return this;
        }

        /**
         * For brokers of a few minutes: their code is compiled quickly, not well. The better
         * compiler takes half a minute of a processor from a broker's first minutes, which is more
         * than it gives back by then, and all that is measured meanwhile waits for it.
         */
        public Builder shortLived() {
            return jvmOption("-XX:TieredStopAtLevel=1");
        }

        /**
         * Adds to every node's command line, each its own by its id, for instance an agent with a
         * port.
         */
        public Builder jvmOption(IntFunction<String> optionOfBroker) {
            jvmOptions.add(optionOfBroker);
            return this;
        }

        /** Adds to every broker's environment, each its own, for instance a false clock. */
        public Builder environment(IntFunction<Map<String, String>> environmentOfBroker) {
            environment = environmentOfBroker;
            return this;
        }

        /**
         * Has clients and other brokers reach every broker by links that can be delayed and paused,
         * one for clients and one for other brokers. Needs free ports: none may be given.
         */
        public Builder behindLinks() {
            behindLinks = true;
            return this;
        }

        /** Adds a jar to the class path of every broker, after Kafka's own. */
        public Builder plugin(Path jar) {
            plugins.add(jar.toAbsolutePath());
            return this;
        }

        /** Runs the brokers on another JDK than the one that runs this. */
        public Builder javaHome(Path javaHome) {
            this.javaHome = javaHome;
            return this;
        }

        /** Heap of each broker, in MiB; 256 unless said. */
        public Builder heapMebibytes(int heapMebibytes) {
            this.heapMebibytes = heapMebibytes;
            return this;
        }

        /**
         * How long brokers may take to end by themselves when the cluster is closed; 20 s unless
         * said.
         */
        public Builder stopGrace(Duration stopGrace) {
            this.stopGrace = stopGrace;
            return this;
        }

        /**
         * The cluster, not started yet.
         *
         * @throws IllegalStateException when the class path of the version is not there, or there
         *     are no free ports
         * @throws IllegalArgumentException when settings contradict each other
         * @throws UncheckedIOException when a link's port cannot be bound
         */
        public KafkaCluster build() {
            if (!ports.isEmpty() && behindLinks) {
                throw new IllegalArgumentException("links need free ports, and ports are given");
            }
            if (!ports.isEmpty() && ports.size() != count) {
                throw new IllegalArgumentException(
                        ports.size() + " pairs of ports for " + count + " brokers");
            }
            List<Path> classPath = version.classPath(root);
            ClassArchive archive = new ClassArchive(classPath, javaHome);
            int portsEach = behindLinks ? PORTS_BEHIND_LINKS : PORTS;
            Optional<PortLease> lease =
                    ports.isEmpty()
                            ? Optional.of(PortLease.take(portsEach * count + controllers))
                            : Optional.empty();
            ClusterSettings settings =
                    new ClusterSettings(
                            version,
                            Stream.concat(classPath.stream(), plugins.stream()).toList(),
                            javaHome,
                            workDirectory,
                            lease.map(free -> inSets(free, portsEach)).orElse(ports),
                            controllers(
                                    i ->
                                            lease.map(free -> free.port(portsEach * count + i))
                                                    .orElseGet(() -> controllerPorts.get(i)),
                                    archive),
                            security,
                            heapMebibytes,
                            brokerProperties,
                            IntStream.rangeClosed(1, count)
                                    .mapToObj(id -> options(id, archive))
                                    .toList(),
                            IntStream.rangeClosed(1, count).mapToObj(environment).toList());
            return new KafkaCluster(
                    settings, lease, stopGrace, behindLinks ? links(settings.ports()) : List.of());
        }

        private List<BrokerPorts> inSets(PortLease free, int each) {
            return IntStream.range(0, count)
                    .map(i -> i * each)
                    .mapToObj(
                            i ->
                                    behindLinks
                                            ? new BrokerPorts(
                                                    new Listener(free.port(i), free.port(i + 2)),
                                                    free.port(i + 1),
                                                    Optional.of(
                                                            new Listener(
                                                                    free.port(i + 3),
                                                                    free.port(i + 4))))
                                            : new BrokerPorts(free.port(i), free.port(i + 1)))
                    .toList();
        }

        private static List<Links> links(List<BrokerPorts> ports) {
            List<Links> links = new ArrayList<>();
            for (BrokerPorts each : ports) {
                String broker = "broker-" + (links.size() + 1);
                links.add(
                        new Links(
                                link(broker + "-clients", each.client()),
                                link(broker + "-replication", each.replication().orElseThrow())));
            }
            return links;
        }

        private static FaultyLink link(String name, Listener listener) {
            try {
                return FaultyLink.open(name, listener.advertised(), listener.port());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private List<Controller> controllers(IntUnaryOperator port, ClassArchive archive) {
            return IntStream.range(0, controllers)
                    .mapToObj(
                            i ->
                                    new Controller(
                                            Controller.FIRST + i,
                                            port.applyAsInt(i),
                                            options(Controller.FIRST + i, archive)))
                    .toList();
        }

        private List<String> options(int id, ClassArchive archive) {
            List<String> options = new ArrayList<>();
            archive.jvmOption().ifPresent(options::add);
            for (IntFunction<String> option : jvmOptions) {
                options.add(option.apply(id));
            }
            return options;
        }
    }
}
