/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.exporter.instrument.Hook;
import io.phasewise.exporter.instrument.Hooks;
import io.phasewise.exporter.series.SeriesRegistry;
import io.phasewise.exporter.timing.RequestListener;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Follows the canary's records from append to commit, learns what they wait for, and times the appends
 * of all partitions. Can be switched off and on while the broker runs: what its hooks call then does
 * nothing.
 */
public final class MarksPart implements RequestListener {

    private final String topic;
    private final LongSupplier nanoClock;
    private final MarkMetrics metrics;
    private final AppendTimes appends;
    private final Pauses pauses = new Pauses();
    private final MarkLog log = new MarkLog();
    private final FetcherRings fetchers = new FetcherRings();
    private final MarkPages pages;
    private volatile boolean requestsFailed;
    private boolean on;
    private boolean marksFailed;
    private boolean appendsFailed;
    private boolean networkFailed;
    private boolean followedFailed;

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
        pages = new MarkPages(log, fetchers, NetworkAdvice.THREADS, pauses, nanoClock);
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
        hooks.add(MarkHooks.networkThreads(this::networkFailed));
        hooks.add(MarkHooks.replicaFetches(this::followedFailed));
        return hooks;
    }

    @Override
    public void ofCanary(
            RequestMark.Api api,
            String clientId,
            int processor,
            long received,
            long dequeued,
            long handled,
            long completed,
            long answered,
            long sent) {
        if (MarkAdvice.marks != null && !requestsFailed) {
            try {
                log.add(new RequestMark(
                        api, clientId, processor, received, dequeued, handled, completed, answered, sent));
            } catch (Throwable surprise) {
                requestsFailed(surprise);
            }
        }
    }

    /** Requests are timed without this: what fails here must not end that. */
    private void requestsFailed(Throwable surprise) {
        requestsFailed = true;
        Hooks.lost("requests are not part of marks any longer, everything else goes on", surprise);
    }

    @Override
    public void ofFollower(
            String clientId,
            String connection,
            int processor,
            long received,
            long dequeued,
            long completed,
            long answered,
            long sent) {
        if (MarkAdvice.marks != null && !requestsFailed) {
            try {
                fetchers.answered(clientId, connection, processor, received, dequeued, completed, answered, sent);
            } catch (Throwable surprise) {
                requestsFailed(surprise);
            }
        }
    }

    /**
     * The page of marks after those that the asker has, as text.
     *
     * @param form 1, or another number for the second form
     * @param after sequence of the page before; 0 at first
     */
    public String page(int form, long after) {
        return form == MarkPage.FIRST_FORM
                ? log.after(MarkPage.FIRST_FORM, after, log.last(), MarkAdvice.marks != null, List.of())
                        .toString()
                : pages.after(after);
    }

    /** A hook failed: there are no marks any longer, nor, where that is said, times of appends. */
    synchronized void failed(boolean appendsToo) {
        marksFailed = true;
        appendsFailed |= appendsToo;
        apply();
    }

    /** The hook failed: nothing is reported of network threads any longer. */
    private synchronized void networkFailed() {
        networkFailed = true;
        apply();
    }

    /** The hook failed: nothing is reported of this broker as a follower any longer. */
    private synchronized void followedFailed() {
        followedFailed = true;
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
        FollowerAdvice.pauses = pauses;
        FollowerAdvice.followed = marking && !followedFailed ? log::add : null;
        if (marking && !networkFailed && !NetworkAdvice.on) {
            NetworkAdvice.THREADS.resume(nanoClock.getAsLong());
        }
        NetworkAdvice.on = marking && !networkFailed;
        if (marking == (before != null)) {
            return;
        }
        if (marking) {
            pauses.resume();
            // Another one: an append that began before must not leave a follower awaited for ever.
            AwaitedFollowers awaited = new AwaitedFollowers();
            fetchers.watch(awaited);
            MarkAdvice.marks = new Marks(topic, metrics, pauses, awaited);
            watch();
        } else {
            MarkAdvice.marks = null;
            before.dropAll("switched_off", nanoClock.getAsLong());
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
