/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.exporter.instrument.Hook;
import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Follows the canary's records from append to commit, and times the appends of all partitions. Can
 * be switched off and on while the broker runs: what its hooks call then does nothing.
 */
public final class MarksPart {

    private final String topic;
    private final LongSupplier nanoClock;
    private final MarkMetrics metrics;
    private final AppendTimes appends;
    private final Pauses pauses = new Pauses();
    private final MarkLog log = new MarkLog();
    private boolean on;
    private boolean marksFailed;
    private boolean appendsFailed;

    /**
     * Registers the metrics.
     *
     * @param topic the canary's
     * @param classicNanos bounds of the classic buckets in nanoseconds
     * @param registry takes the metrics
     */
    public MarksPart(String topic, long[] classicNanos, PrometheusRegistry registry) {
        this(topic, classicNanos, registry, System::nanoTime);
    }

    /**
     * As the other one.
     *
     * @param nanoClock by which pauses of this JVM are noticed
     */
    MarksPart(String topic, long[] classicNanos, PrometheusRegistry registry, LongSupplier nanoClock) {
        this.topic = topic;
        this.nanoClock = nanoClock;
        double[] seconds =
                Arrays.stream(classicNanos).mapToDouble(nanos -> nanos / 1e9).toArray();
        metrics = new MarkMetrics(registry, seconds, MarksPart::charge, log::add);
        appends = new AppendTimes(classicNanos);
        registry.register(appends);
        SeriesRegistry series = new SeriesRegistry(registry);
        series.read("kafka_log_append_oldest_seconds", () -> MarkAdvice.oldestAppendNanos() / 1e9);
        for (String name : List.of("kafka_exporter_paused_seconds_total", "kafka_exporter_standstill_seconds_total")) {
            series.read(name, () -> pauses.total() / 1e9);
        }
        series.read(
                "kafka_exporter_hook_seconds_total",
                points -> MarkAdvice.BUDGETS.forEach(each -> points.add(each.seconds(), each.hook())));
    }

    private static void charge() {
        Marks current = MarkAdvice.marks;
        if (current != null) {
            current.chargeUntil(System.nanoTime());
        }
    }

    /** The hooks that this needs. */
    public List<Hook> hooks() {
        List<Hook> hooks = new ArrayList<>(MarkHooks.marks(() -> failed(false)));
        hooks.add(MarkHooks.receipts(() -> MarkAdvice.receipts = false));
        hooks.add(MarkHooks.appends(() -> failed(true)));
        return hooks;
    }

    /**
     * A produce request of the canary was answered: instants of System.nanoTime, see {@link
     * RequestMark}.
     */
    public void answered(long received, long dequeued, long handled, long completed, long answered, long sent) {
        if (MarkAdvice.marks != null) {
            log.add(new RequestMark(received, dequeued, handled, completed, answered, sent));
        }
    }

    /**
     * Marks after those that the asker has.
     *
     * @param after sequence of the page before; 0 at first
     */
    public MarkPage after(long after) {
        return log.after(after, MarkAdvice.marks != null);
    }

    /** A hook failed: there are no marks any longer, nor, where that is said, times of appends. */
    synchronized void failed(boolean appendsToo) {
        marksFailed = true;
        appendsFailed |= appendsToo;
        apply();
    }

    /**
     * Switches on or off; what failed stays off. Records that wait for their commit are dropped.
     */
    public synchronized void enable(boolean enabled) {
        if (on != enabled) {
            on = enabled;
            apply();
        }
    }

    private void apply() {
        Marks before = MarkAdvice.marks;
        boolean marking = on && !marksFailed;
        MarkAdvice.appends = on && !appendsFailed ? appends : null;
        if (marking == (before != null)) {
            return;
        }
        if (marking) {
            pauses.resume();
            MarkAdvice.marks = new Marks(topic, metrics, pauses);
            watch();
        } else {
            MarkAdvice.marks = null;
            before.dropAll("switched_off");
        }
    }

    private void watch() {
        Marks watched = MarkAdvice.marks;
        Thread watch = new Thread(
                () -> {
                    while (MarkAdvice.marks == watched) {
                        long now = nanoClock.getAsLong();
                        pauses.tick(now);
                        MarkAdvice.BUDGETS.forEach(budget -> budget.check(now));
                        LockSupport.parkNanos(Pauses.INTERVAL_NANOS);
                    }
                },
                "phasewise-exporter-pauses");
        watch.setDaemon(true);
        watch.start();
    }
}
