/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Memory, garbage collection, threads and file descriptors of the broker's JVM: client_java's
 * metrics, except that threads are only counted. Client_java's metrics of thread states and
 * deadlocks would stop all threads at each scrape to look at their stacks.
 *
 * <p>Open files are counted every minute: the system lists them one by one, of which a broker has
 * one for each partition and more.
 */
final class JvmPart implements MultiCollector {

    private static final String OPEN_FILES = "process_open_fds";

    /** What the stacks of threads are looked at for. */
    private static final Set<String> LEFT_OUT =
            Set.of("jvm_threads_state", "jvm_threads_deadlocked", "jvm_threads_deadlocked_monitor");

    private static final long REST_NANOS = Duration.ofMinutes(1).toNanos();

    private final PrometheusRegistry metrics = new PrometheusRegistry();
    private final LongSupplier nanoClock;
    private MetricSnapshots openFiles;
    private long countedAt;

    /**
     * @param nanoClock monotonic nanoseconds
     */
    JvmPart(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        JvmMemoryMetrics.builder().register(metrics);
        JvmGarbageCollectorMetrics.builder().register(metrics);
        JvmBufferPoolMetrics.builder().register(metrics);
        JvmRuntimeInfoMetric.builder().register(metrics);
        ProcessMetrics.builder().register(metrics);
        JvmThreadsMetrics.builder().register(metrics);
        new SeriesRegistry(metrics).read("jvm_available_processors", Runtime.getRuntime()::availableProcessors);
    }

    @Override
    public synchronized MetricSnapshots collect() {
        long now = nanoClock.getAsLong();
        if (openFiles == null || now - countedAt >= REST_NANOS) {
            openFiles = metrics.scrape(OPEN_FILES::equals);
            countedAt = now;
        }
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        metrics.scrape(name -> !OPEN_FILES.equals(name) && !LEFT_OUT.contains(name))
                .forEach(all::metricSnapshot);
        openFiles.forEach(all::metricSnapshot);
        return all.build();
    }
}
