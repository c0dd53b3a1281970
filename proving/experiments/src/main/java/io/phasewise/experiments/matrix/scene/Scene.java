/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.scene;

import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.cluster.Permissions;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.debugger.Debugger;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.fault.AdjustableClock;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.ListenerSecurity;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What rows are run on: brokers behind links, each with the exporter's agent; a canary that asks
 * the exporters and another one that has none; Prometheus and Alertmanager with the repository's
 * rules. Many rows share a scene; each leaves it as it found it.
 */
public final class Scene implements FaultTarget.Servers, AutoCloseable {
    /** The cluster's name in the series of the canary that asks the exporters. */
    public static final String WITH_EXPORTERS = CanaryProcess.CLUSTER;

    /** The name of the same cluster in the series of the canary without exporters. */
    public static final String WITHOUT_EXPORTERS = "blind";

    /** The topic of the canary with exporters. */
    public static final String TOPIC = "phasewise-canary";

    private static final List<String> TOPICS = List.of(TOPIC, TOPIC + "-" + WITHOUT_EXPORTERS);

    /** The layout of most rows. */
    public static final ClusterSpec USUAL = ClusterSpec.PLAIN.behindLinks(false, false);

    /** The broker whose clock can be set, where the layout asks for that. */
    static final int CLOCK_BROKER = 2;

    private static final String PASSWORD = "canary-of-the-lab";
    private static final ListenerSecurity SECURED =
            new ListenerSecurity.SaslSsl("lab", "lab-of-the-lab", Map.of(Permissions.USER, PASSWORD), true);

    private final Path root;
    private final Path directory;
    private final ClusterSpec spec;
    private final List<ActiveFault> open = new ArrayList<>();
    private final Map<String, Object> client = new HashMap<>();
    private final List<CanaryProcess> canaries = new ArrayList<>();
    private List<Map<String, Object>> firstSettings;
    private Optional<AdjustableClock> clock = Optional.empty();
    private Monitoring monitoring;
    private PortLease debuggers;
    private LabCluster brokers;

    private Scene(Path root, Path directory, ClusterSpec spec) {
        this.root = root;
        this.directory = directory;
        this.spec = spec;
    }

    /**
     * Starts all of it.
     *
     * @param root of the repository
     * @param directory for files of the run
     * @throws IOException when something cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Scene start(Path root, Path directory, ClusterSpec spec) throws IOException, InterruptedException {
        Scene scene = new Scene(root, directory, spec);
        ActiveFault.after(scene::startAll, scene::close);
        return scene;
    }

    private void startAll() throws IOException, InterruptedException {
        startBrokers();
        startCanaries();
        monitoring = Monitoring.start(root, directory.resolve("monitoring"), this);
        open.add(monitoring::close);
    }

    private void startBrokers() throws IOException, InterruptedException {
        // One for each node and each canary.
        debuggers = PortLease.take(spec.nodes() + 2);
        open.add(debuggers::close);
        if (spec.clock()) {
            Path file = directory.resolve("ahead");
            clock = AdjustableClock.library().map(library -> new AdjustableClock(library, file));
        }
        brokers = LabCluster.start(root, directory, spec, this::special);
        open.add(brokers::close);
        if (spec.secured()) {
            Permissions.grant(cluster().admin(), TOPICS);
            client.putAll(cluster().clientProperties(Permissions.USER, PASSWORD));
            client.remove("bootstrap.servers");
        }
    }

    private ClusterBuilder special(ClusterBuilder builder) {
        builder.security(spec.secured() ? SECURED : new ListenerSecurity.Plaintext())
                .jvmOption(id -> Debugger.listening(debuggers.port(spec.index(id))))
                .environment(this::environment)
                // A paused follower leaves the in-sync replicas after this time; Kafka's default is
                // 30 s.
                .brokerProperty("replica.lag.time.max.ms", "5000")
                .brokerProperty("group.initial.rebalance.delay.ms", "0");
        if (!spec.equals(USUAL)) {
            // These brokers live for a row or two.
            builder.shortLived();
        }
        if (spec.clock()) {
            // The quorum uses the wall clock: a step must not end a leadership.
            builder.brokerProperty("controller.quorum.fetch.timeout.ms", "20000");
        }
        return builder;
    }

    private Map<String, String> environment(int broker) {
        return broker == CLOCK_BROKER ? clock.map(AdjustableClock::environment).orElse(Map.of()) : Map.of();
    }

    private void startCanaries() throws IOException, InterruptedException {
        Map<String, String> addresses = new TreeMap<>();
        for (KafkaBroker broker : cluster().brokers()) {
            addresses.put(Integer.toString(broker.id()), brokers.exporter(broker.id()));
        }
        firstSettings = List.of(common(), Map.of("exporters", Map.of("addresses", addresses)));
        startCanary(firstSettings);
        startCanary(List.of(common(), Map.of("topic", Map.of("name", TOPICS.get(1)))));
    }

    private void startCanary(List<Map<String, Object>> settings) throws IOException, InterruptedException {
        int port = debuggers.port(spec.nodes() + canaries.size());
        CanaryProcess canary = brokers.canary(settings, Debugger.listening(port));
        open.add(canary::close);
        canaries.add(canary);
    }

    /**
     * Settings of both canaries: the defaults, except for shorter time-outs so that a row ends in
     * time.
     */
    private Map<String, Object> common() {
        Map<String, Object> all = new HashMap<>();
        all.put("client", client);
        all.put("loss-horizon", "20s");
        all.put("producer", Map.of("request.timeout.ms", "10000"));
        Map<String, Object> probe = new HashMap<>();
        spec.probeBytes().ifPresent(size -> probe.put("size", size));
        spec.probesPerSecond().ifPresent(rate -> probe.put("rate", rate));
        if (!probe.isEmpty()) {
            all.put("probe", probe);
        }
        return all;
    }

    /** The brokers with their exporters. */
    public LabCluster brokers() {
        return brokers;
    }

    /** What faults of rows are begun on. */
    public FaultTarget target() {
        return new FaultTarget(cluster(), List.copyOf(canaries), TOPICS, clock, Optional.of(this));
    }

    /** The brokers. */
    public KafkaCluster cluster() {
        return brokers.kafka();
    }

    @Override
    public void restart(ServerKind server) throws IOException, InterruptedException {
        monitoring.restart(server);
    }

    @Override
    public void awaitReported(String alert, Duration bound) throws InterruptedException {
        Await.that(alert + " is reported", bound)
                .every(Duration.ofMillis(500))
                .until(() -> monitoring.reported().active().contains(alert), () -> "Alertmanager does not have it");
    }

    @Override
    public ActiveFault replaceCanary() throws IOException, InterruptedException {
        // Perhaps no broker answers now, so it may not become ready.
        CanaryProcess fresh = brokers.unreadyCanary(firstSettings);
        return ActiveFault.after(() -> monitoring.watch(List.of(fresh, canaries.get(1))), () -> {
            try (fresh) {
                monitoring.watch(canaries);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Versions and sizes of its parts, by name, for people. */
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>(monitoring.versions());
        versions.putAll(LabCluster.versions());
        return versions;
    }

    /** The canary that asks the exporters. */
    public CanaryProcess canary() {
        return canaries.get(0);
    }

    /** Prometheus and Alertmanager. */
    public Monitoring monitoring() {
        return monitoring;
    }

    /** Ends all that was started, in reverse order; each, even where ending another one fails. */
    @Override
    public void close() throws InterruptedException {
        new ActiveFaults(List.copyOf(open)).close();
    }
}
