/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Memory, garbage collection, threads and file descriptors of the broker's JVM: client_java's
 * metrics, except that threads are counted only. Its states and deadlocks of threads stop all of
 * them at each scrape to look at their stacks.
 */
public final class JvmPart {

    private JvmPart() {}

    /** Adds them to the registry. */
    public static void register(PrometheusRegistry registry) {
        JvmMemoryMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
        JvmBufferPoolMetrics.builder().register(registry);
        JvmRuntimeInfoMetric.builder().register(registry);
        ProcessMetrics.builder().register(registry);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        GaugeWithCallback.builder()
                .name("jvm_threads_current")
                .help("Current thread count of a JVM")
                .callback(callback -> callback.call(threads.getThreadCount()))
                .register(registry);
        GaugeWithCallback.builder()
                .name("jvm_threads_daemon")
                .help("Daemon thread count of a JVM")
                .callback(callback -> callback.call(threads.getDaemonThreadCount()))
                .register(registry);
        GaugeWithCallback.builder()
                .name("jvm_threads_peak")
                .help("Peak thread count of a JVM")
                .callback(callback -> callback.call(threads.getPeakThreadCount()))
                .register(registry);
        CounterWithCallback.builder()
                .name("jvm_threads_started_total")
                .help("Started thread count of a JVM")
                .callback(callback -> callback.call(threads.getTotalStartedThreadCount()))
                .register(registry);
    }
}
