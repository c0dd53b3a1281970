/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.Recurring;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Faults of Kafka in which the canary, its witness, is in trouble too: somebody must be told. */
final class CanaryRows {
    private static final String PAGE = "MostProbesBad";

    /** From the fault to the page: the rule's window, its for, scrapes and evaluations. */
    private static final Duration PAGED_BOUND = Duration.ofSeconds(90);

    private static final Duration STALL_BOUND = Duration.ofSeconds(30);
    private static final Duration DELAY = Duration.ofSeconds(1);

    /** Longer than what the page looks at, so that it has to live on by something else. */
    private static final Duration OUTAGE = Duration.ofSeconds(120);

    private static final Set<Integer> ALL = Set.of(1, 2, 3);

    private CanaryRows() {}

    static List<Row> all() {
        return List.of(
                Row.of(
                                "slow-while-starved",
                                "one second on the way to every broker, while the canary is paused"
                                        + " for 40 ms of every second",
                                CanaryRows::slowWhileStarved,
                                PAGED_BOUND,
                                Effect.IS_FELT,
                                ALL)
                        .raisingIf(true, PAGE)
                        .needing(Row.Needs.ALERTS),
                Row.of(
                                "canary-restarts-in-outage",
                                "all brokers are killed (SIGKILL); once that was reported, a fresh"
                                        + " canary takes the place of the first, and Prometheus is"
                                        + " restarted",
                                CanaryRows::restartInOutage,
                                OUTAGE,
                                Effect.IS_FELT,
                                ALL)
                        .raisingIf(true, PAGE, "ClusterDown")
                        .permitting("BrokerDown", "NoActiveController", "ProbesLost")
                        .needing(Row.Needs.ALERTS));
    }

    /** The canary is paused again and again. */
    static Fault.Broken stall(Scene scene, Duration time, Duration period) {
        ManagedProcess canary = scene.canary().process();
        return Recurring.every(
                period,
                () -> {
                    canary.pause();
                    try {
                        Thread.sleep(time.toMillis());
                    } finally {
                        canary.resume();
                    }
                },
                STALL_BOUND,
                canary::resume);
    }

    private static Fault.Broken slowWhileStarved(Scene scene) {
        Fault.Broken stalls = stall(scene, Duration.ofMillis(40), Duration.ofSeconds(1));
        delay(scene, DELAY);
        return () -> {
            delay(scene, Duration.ZERO);
            stalls.close();
        };
    }

    private static void delay(Scene scene, Duration delay) {
        for (KafkaBroker broker : scene.cluster().brokers()) {
            scene.cluster().clientLink(broker.id()).there().delay(delay);
        }
    }

    private static Fault.Broken restartInOutage(Scene scene)
            throws IOException, InterruptedException {
        Monitoring monitoring = scene.monitoring().orElseThrow();
        Fault.Broken outage = Rows.killAll(scene);
        CanaryProcess fresh = null;
        boolean begun = false;
        try {
            awaitReported(monitoring);
            fresh = scene.anotherCanary();
            monitoring.watch(fresh);
            monitoring.restartPrometheus();
            begun = true;
        } finally {
            if (!begun) {
                mend(scene, outage, fresh);
            }
        }
        CanaryProcess second = fresh;
        return () -> mend(scene, outage, second);
    }

    private static void awaitReported(Monitoring monitoring) throws InterruptedException {
        Await.that(PAGE + " is reported", PAGED_BOUND)
                .every(Duration.ofMillis(500))
                .until(
                        () ->
                                monitoring.reported().active().contains(PAGE)
                                        ? Optional.empty()
                                        : Optional.of("Alertmanager does not have it"));
    }

    private static void mend(Scene scene, Fault.Broken outage, CanaryProcess fresh)
            throws InterruptedException {
        try {
            outage.close();
            scene.monitoring().orElseThrow().watch(scene.canary());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (fresh != null) {
                fresh.close();
            }
        }
    }
}
