/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.exporter.instrument.Hook;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Follows the canary's records from append to commit, and times the appends of all partitions. */
public final class BrokerMarks {

    private BrokerMarks() {}

    /**
     * Registers the metrics, and begins to record what the hooks report.
     *
     * @param topic the canary's
     * @param classicNanos bounds of the classic buckets in nanoseconds
     * @param registry takes the metrics
     * @return the hooks that this needs
     */
    public static List<Hook> start(String topic, long[] classicNanos, PrometheusRegistry registry) {
        double[] seconds = new double[classicNanos.length];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = classicNanos[i] / 1e9;
        }
        MarkMetrics metrics = new MarkMetrics(registry, seconds);
        Pauses pauses = new Pauses();
        Marks marks = new Marks(topic, metrics, pauses);
        metrics.showWaits(registry, () -> marks.chargeUntil(System.nanoTime()));
        AppendTimes appends = new AppendTimes(classicNanos);
        registry.register(appends);
        MarkAdvice.appends = appends;
        MarkAdvice.marks = marks;
        MarkAdvice.receipts = true;
        watch(pauses);
        List<Hook> hooks = new ArrayList<>(MarkHooks.marks(() -> MarkAdvice.marks = null));
        hooks.add(MarkHooks.receipts(() -> MarkAdvice.receipts = false));
        hooks.add(
                MarkHooks.appends(
                        () -> {
                            MarkAdvice.appends = null;
                            MarkAdvice.marks = null;
                        }));
        return hooks;
    }

    private static void watch(Pauses pauses) {
        Thread watch =
                new Thread(
                        () -> {
                            while (MarkAdvice.marks != null) {
                                pauses.tick(System.nanoTime());
                                LockSupport.parkNanos(Pauses.INTERVAL);
                            }
                        },
                        "phasewise-exporter-pauses");
        watch.setDaemon(true);
        watch.start();
    }
}
