/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.scene;

import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.cluster.Permissions;
import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.fault.Fault;
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
 * What faults are put to: brokers behind links, each with the exporter's agent; a canary that the
 * exporters tell and another one that nobody tells anything; a Prometheus and an Alertmanager on
 * the repository's rules. One for many rows: each leaves it as it found it.
 */
public final class Scene implements FaultTarget.Servers, AutoCloseable {
    /** The cluster as the canary knows it that exporters tell. */
    public static final String TOLD = CanaryProcess.CLUSTER;

    /** The same cluster as the other one knows it. */
    public static final String BLIND = "blind";

    /** The canary's topic, where nothing else is said. */
    public static final String TOPIC = "phasewise-canary";

    private static final List<String> TOPICS = List.of(TOPIC, TOPIC + "-" + BLIND);

    /** That of most rows. */
    public static final ClusterSpec USUAL = ClusterSpec.PLAIN.behindLinks(false, false);

    /** The broker whose clock can be set, where one can. */
    static final int CLOCK_BROKER = 2;

    private static final String PASSWORD = "canary-of-the-lab";
    private static final ListenerSecurity SECURED =
            new ListenerSecurity.SaslSsl("lab", "lab-of-the-lab", Map.of(Permissions.USER, PASSWORD), true);

    private final Path root;
    private final Path directory;
    private final ClusterSpec spec;
    private final List<Fault.Broken> open = new ArrayList<>();
    private final Map<String, Object> client = new HashMap<>();
    private final List<CanaryProcess> canaries = new ArrayList<>();
    private List<Map<String, Object>> told;
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
     * @param root the repository's
     * @param directory for files of the run
     * @throws IOException when something cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Scene start(Path root, Path directory, ClusterSpec spec) throws IOException, InterruptedException {
        Scene scene = new Scene(root, directory, spec);
        Fault.Broken.after(scene::startAll, scene::close);
        return scene;
    }

    private void startAll() throws IOException, InterruptedException {
        startBrokers();
        startCanaries();
        monitoring = Monitoring.start(root, directory.resolve("monitoring"), this);
        open.add(monitoring::close);
    }

    private void startBrokers() throws IOException, InterruptedException {
        // Of each node and of each canary.
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
                // A paused follower is out of sync after so long, not after Kafka's 30 s.
                .brokerProperty("replica.lag.time.max.ms", "5000")
                .brokerProperty("group.initial.rebalance.delay.ms", "0");
        if (!spec.equals(USUAL)) {
            // It lives for a row or two.
            builder.shortLived();
        }
        if (spec.clock()) {
            // The quorum goes by the wall clock: a step must not end a leadership.
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
        told = List.of(common(), Map.of("exporters", Map.of("addresses", addresses)));
        startCanary(told);
        startCanary(List.of(common(), Map.of("topic", Map.of("name", TOPICS.get(1)))));
    }

    private void startCanary(List<Map<String, Object>> settings) throws IOException, InterruptedException {
        int port = debuggers.port(spec.nodes() + canaries.size());
        CanaryProcess canary = brokers.canary(settings, Debugger.listening(port));
        open.add(canary::close);
        canaries.add(canary);
    }

    /** Of both canaries: the defaults, but for what ends a row in time. */
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

    /** What faults are put to. */
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
    public Fault.Broken replaceCanary() throws IOException, InterruptedException {
        // No broker may be there.
        CanaryProcess fresh = brokers.unreadyCanary(told);
        return Fault.Broken.after(() -> monitoring.watch(List.of(fresh, canaries.get(1))), () -> {
            try (fresh) {
                monitoring.watch(canaries);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** What takes part in it, for people: names to versions and sizes. */
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>(monitoring.versions());
        versions.putAll(LabCluster.versions());
        return versions;
    }

    /** The canary that exporters tell. */
    public CanaryProcess canary() {
        return canaries.get(0);
    }

    /** Prometheus and Alertmanager. */
    public Monitoring monitoring() {
        return monitoring;
    }

    /** Ends all that was started, the last first; each, whatever becomes of the others. */
    @Override
    public void close() throws InterruptedException {
        new ActiveFaults(List.copyOf(open)).close();
    }
}
