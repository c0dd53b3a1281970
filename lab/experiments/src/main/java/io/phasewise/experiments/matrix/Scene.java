/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.fault.Debugger;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.Permissions;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.Scrape;
import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.experiments.run.Target;
import io.phasewise.lab.fault.FalseClock;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.ListenerSecurity;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What the faults of the matrix are put to: three brokers behind links, a canary, and, if wanted, a
 * Prometheus with an Alertmanager on the repository's rules. One for many rows: each leaves it as
 * it found it.
 */
public final class Scene implements FaultTarget, AutoCloseable {
    /** Probes a second to each broker; at even distances, so that few are enough for a mean. */
    private static final int RATE = 5;

    /** A follower that stands still is out of sync after so long, not after Kafka's 30 s. */
    private static final Map<String, String> BROKER =
            Map.of("replica.lag.time.max.ms", "5000", "group.initial.rebalance.delay.ms", "0");

    /** The broker whose clock can be set, where one can. */
    static final int CLOCK_BROKER = 2;

    private static final String PASSWORD = "canary-of-the-lab";
    private static final ListenerSecurity SECURED =
            new ListenerSecurity.SaslSsl(
                    "lab", "lab-of-the-lab", Map.of(Permissions.USER, PASSWORD), true);

    private final Target target;
    private final CanaryProcess canary;
    private final PortLease debugger;
    private final Optional<Monitoring> monitoring;
    private final Optional<FalseClock> clock;
    private final Setup setup;
    private final Another another;

    /** Starts another canary. */
    @FunctionalInterface
    private interface Another {
        CanaryProcess launch() throws IOException, InterruptedException;
    }

    private Scene(
            Target target,
            CanaryProcess canary,
            PortLease debugger,
            Optional<Monitoring> monitoring,
            Optional<FalseClock> clock,
            Setup setup,
            Another another) {
        this.another = another;
        this.setup = setup;
        this.debugger = debugger;
        this.clock = clock;
        this.target = target;
        this.canary = canary;
        this.monitoring = monitoring;
    }

    /**
     * Starts all of it.
     *
     * @param root the repository's
     * @param directory for files of the run
     * @param withAlerts whether Prometheus and Alertmanager watch
     * @param clock of one broker, to be set wrong
     * @param secured whether the brokers ask who may do what
     * @throws IOException when something cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Scene start(
            Path root,
            Path directory,
            boolean withAlerts,
            Optional<FalseClock> clock,
            boolean secured)
            throws IOException, InterruptedException {
        return start(root, directory, withAlerts, clock, secured, builder -> builder);
    }

    /**
     * The same.
     *
     * @param more is said of the brokers
     * @throws IOException when something cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Scene start(
            Path root,
            Path directory,
            boolean withAlerts,
            Optional<FalseClock> clock,
            boolean secured,
            UnaryOperator<KafkaCluster.Builder> more)
            throws IOException, InterruptedException {
        Target target = null;
        CanaryProcess canary = null;
        Monitoring monitoring = null;
        PortLease debugger = PortLease.take(1);
        boolean up = false;
        try {
            Map<String, String> properties = new HashMap<>(BROKER);
            if (clock.isPresent()) {
                // The quorum goes by the wall clock: a step must not end a leadership.
                properties.put("controller.quorum.fetch.timeout.ms", "20000");
            }
            target =
                    Target.start(
                            root,
                            directory.resolve("kafka"),
                            properties,
                            builder -> more.apply(special(builder, clock, secured)));
            Map<String, Object> client = Map.of();
            if (secured) {
                KafkaCluster cluster = target.own().orElseThrow();
                Permissions.grant(cluster.admin(), List.of("phasewise-canary"));
                client = cluster.clientProperties(Permissions.USER, PASSWORD);
                client.remove("bootstrap.servers");
            }
            Map<String, Object> configuration =
                    configuration(target.bootstrap(), client, addresses(target));
            List<String> options = List.of(Debugger.listening(debugger.port(0)));
            canary =
                    CanaryProcess.start(
                            canaryJar(root),
                            Files.createTempDirectory(directory, "canary"),
                            configuration,
                            options);
            if (withAlerts) {
                monitoring =
                        Monitoring.start(root, directory.resolve("monitoring"), canary, target);
            }
            Optional<Monitoring> watched = Optional.ofNullable(monitoring);
            Setup setup = setup(target, properties, configuration, options, watched);
            up = true;
            return new Scene(
                    target,
                    canary,
                    debugger,
                    watched,
                    clock,
                    setup,
                    () ->
                            CanaryProcess.launch(
                                    canaryJar(root),
                                    Files.createTempDirectory(directory, "canary"),
                                    configuration));
        } finally {
            if (!up) {
                if (monitoring != null) {
                    monitoring.close();
                }
                if (canary != null) {
                    canary.close();
                }
                if (target != null) {
                    target.close();
                }
                debugger.close();
            }
        }
    }

    private static Path canaryJar(Path root) {
        return root.resolve("canary/target/phasewise-canary.jar");
    }

    private static Map<String, String> addresses(Target target) {
        Map<String, String> addresses = new TreeMap<>();
        for (KafkaBroker broker : target.own().orElseThrow().brokers()) {
            addresses.put(
                    String.valueOf(broker.id()),
                    target.exporterUrl(broker.id()).substring("http://".length()));
        }
        return addresses;
    }

    /** The canary's, below the cluster. */
    private static Map<String, Object> configuration(
            String bootstrap, Map<String, Object> client, Map<String, String> exporters) {
        return Map.of(
                "bootstrap-servers",
                bootstrap,
                "exporters",
                Map.of("addresses", exporters),
                "client",
                client,
                "loss-horizon",
                "20s",
                "producer",
                Map.of("request.timeout.ms", "10000"),
                "probe",
                Map.of("rate", RATE, "schedule", "uniform"),
                // Every probe has a line of the log; the target stays.
                "slow-probes",
                Map.of("log-above", "0s", "log-per-minute", 6_000));
    }

    private static Setup setup(
            Target target,
            Map<String, String> brokers,
            Map<String, Object> canary,
            List<String> canaryOptions,
            Optional<Monitoring> monitoring) {
        List<String> jvm = new ArrayList<>(CanaryJvm.options(Runtime.version().feature()));
        jvm.addAll(canaryOptions);
        Map<String, String> circumstances = new LinkedHashMap<>();
        circumstances.put("brokers", target.version());
        circumstances.put("brokers' heap", target.heap());
        circumstances.put("canary's JVM", String.join(" ", jvm));
        monitoring.ifPresent(watching -> circumstances.putAll(watching.versions()));
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("brokers", brokers);
        configuration.put("canary", Setup.withoutSecrets(canary));
        return new Setup(circumstances, configuration);
    }

    private static KafkaCluster.Builder special(
            KafkaCluster.Builder builder, Optional<FalseClock> clock, boolean secured) {
        return builder.behindLinks()
                .security(secured ? SECURED : new ListenerSecurity.Plaintext())
                .environment(
                        id ->
                                clock.filter(unused -> id == CLOCK_BROKER)
                                        .map(FalseClock::environment)
                                        .orElse(Map.of()));
    }

    @Override
    public KafkaCluster cluster() {
        return target.own().orElseThrow();
    }

    /** Properties of a client of the brokers. */
    public Map<String, Object> client() {
        return target.client();
    }

    /** The series of every broker's exporter, by id. */
    public List<Scrape> exporters() throws IOException, InterruptedException {
        return target.exporters().stream().map(TimedScrape::page).toList();
    }

    @Override
    public List<CanaryProcess> canaries() {
        return List.of(canary);
    }

    /** What brokers and canary were started with, and what watches them. */
    public Setup setup() {
        return setup;
    }

    /** The canary. */
    public CanaryProcess canary() {
        return canary;
    }

    /**
     * A fresh canary with the configuration of the first, which serves and need not be ready; who
     * asks for it closes it.
     */
    CanaryProcess anotherCanary() throws IOException, InterruptedException {
        return another.launch();
    }

    /** Of broker {@link #CLOCK_BROKER}, if it can be set. */
    @Override
    public Optional<FalseClock> clock() {
        return clock;
    }

    /** Prometheus and Alertmanager, if they watch. */
    public Optional<Monitoring> monitoring() {
        return monitoring;
    }

    @Override
    public void close() {
        monitoring.ifPresent(Monitoring::close);
        canary.close();
        target.close();
        debugger.close();
    }
}
