/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.run.Target;
import io.phasewise.lab.fault.FalseClock;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the faults of the matrix are put to: three brokers behind links, a canary, and, if wanted, a
 * Prometheus with an Alertmanager on the repository's rules. One for many rows: each leaves it as
 * it found it.
 */
public final class Scene implements AutoCloseable {
    /** Probes a second to each broker; at even distances, so that few are enough for a mean. */
    private static final int RATE = 5;

    /** A follower that stands still is out of sync after so long, not after Kafka's 30 s. */
    private static final Map<String, String> BROKER =
            Map.of("replica.lag.time.max.ms", "5000", "group.initial.rebalance.delay.ms", "0");

    /** The broker whose clock can be set, where one can. */
    static final int CLOCK_BROKER = 2;

    private final Target target;
    private final CanaryProcess canary;
    private final Optional<Monitoring> monitoring;
    private final Optional<FalseClock> clock;

    private Scene(
            Target target,
            CanaryProcess canary,
            Optional<Monitoring> monitoring,
            Optional<FalseClock> clock) {
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
     * @throws IOException when something cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Scene start(
            Path root, Path directory, boolean withAlerts, Optional<FalseClock> clock)
            throws IOException, InterruptedException {
        Target target = null;
        CanaryProcess canary = null;
        Monitoring monitoring = null;
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
                            true,
                            id ->
                                    clock.filter(unused -> id == CLOCK_BROKER)
                                            .map(FalseClock::environment)
                                            .orElse(Map.of()));
            canary =
                    CanaryProcess.start(
                            root.resolve("canary/target/phasewise-canary.jar"),
                            Files.createTempDirectory(directory, "canary"),
                            Map.of(
                                    "bootstrap-servers",
                                    target.bootstrap(),
                                    "loss-horizon",
                                    "20s",
                                    "producer",
                                    Map.of("request.timeout.ms", "10000"),
                                    "probe",
                                    Map.of("rate", RATE, "schedule", "uniform")));
            if (withAlerts) {
                monitoring =
                        Monitoring.start(root, directory.resolve("monitoring"), canary, target);
            }
            up = true;
            return new Scene(target, canary, Optional.ofNullable(monitoring), clock);
        } finally {
            if (!up) {
                if (canary != null) {
                    canary.close();
                }
                if (target != null) {
                    target.close();
                }
            }
        }
    }

    /** The brokers. */
    public KafkaCluster cluster() {
        return target.own().orElseThrow();
    }

    /** Properties of a client of the brokers. */
    public Map<String, Object> client() {
        return target.client();
    }

    /** The canary. */
    public CanaryProcess canary() {
        return canary;
    }

    /** The clock of broker {@link #CLOCK_BROKER}, if it can be set. */
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
    }
}
