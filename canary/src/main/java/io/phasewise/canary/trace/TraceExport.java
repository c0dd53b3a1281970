/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trace;

import io.phasewise.canary.config.TracesConfig;
import io.phasewise.canary.ledger.ProbeWitness;
import io.phasewise.canary.phase.Phase;
import io.phasewise.canary.slow.ProbeJournal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes traces from every cluster and sends them to the receiver on a thread of its own; which
 * probes become one is left to {@link TraceRule}, the way to {@link TraceSender}. Made only where
 * traces are configured, and the sender with it: no class of OpenTelemetry's is loaded otherwise.
 */
public final class TraceExport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TraceExport.class);

    /** Says again and again what is said here once; held, for the JDK keeps loggers weakly. */
    private final java.util.logging.Logger exporterLog =
            java.util.logging.Logger.getLogger(
                    "io.opentelemetry.exporter.otlp.internal.HttpExporter");

    private final TracesConfig config;
    private final TraceMetrics metrics;
    private final Duration last;
    private final LongSupplier nanoClock;
    private final TraceQueue queue;
    private final TraceSender sender;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Sends nothing before {@link #start}.
     *
     * @param config where to
     * @param version of the canary
     * @param metrics the traces' series
     * @param nanoClock monotonic nanoseconds
     */
    public TraceExport(
            TracesConfig config, String version, TraceMetrics metrics, LongSupplier nanoClock) {
        this(config, version, metrics, nanoClock, Duration.ofMillis(400));
    }

    /**
     * @param last how long {@link #close} may take to send what still waits
     */
    TraceExport(
            TracesConfig config,
            String version,
            TraceMetrics metrics,
            LongSupplier nanoClock,
            Duration last) {
        this.last = last;
        this.config = config;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
        exporterLog.setLevel(Level.OFF);
        queue = new TraceQueue(config.maxWaiting(), metrics);
        metrics.waiting(queue::size);
        sender = TraceSender.overHttp(config, version, queue, metrics, LOG::warn);
        thread = new Thread(this::run, "traces");
        thread.setDaemon(true);
    }

    /**
     * Which probes of a cluster and profile become a trace.
     *
     * @param instance of the canary that sends them
     * @param target of its SLO
     */
    public TraceRule rule(long instance, Duration target) {
        return new TraceRule(instance, target, config.sampleOneIn());
    }

    /**
     * A witness that hands over the probes that become a trace.
     *
     * @param rule says which
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     * @param topic where the probes go
     * @param phases that they pass, in order
     * @param instance of the canary that sends them
     * @param inSync a partition's in-sync replicas; empty when not known
     * @param standstill knows when this process stood still
     * @param next sees every probe, too
     */
    public ProbeWitness witness(
            TraceRule rule,
            String cluster,
            String profile,
            String topic,
            List<Phase> phases,
            long instance,
            IntFunction<List<Integer>> inSync,
            ProbeJournal.Standstill standstill,
            ProbeWitness next) {
        metrics.open(cluster, profile);
        return new ProbeTracer(
                rule,
                new ProbeTrace.Source(cluster, profile, topic, phases),
                instance,
                inSync,
                standstill,
                InstantSource.system(),
                nanoClock,
                queue,
                next);
    }

    /** Starts to send; returns at once. */
    public void start() {
        thread.start();
    }

    private void run() {
        Duration pause = TraceSender.IDLE;
        try {
            while (!stop.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    pause = sender.send();
                } catch (RuntimeException e) {
                    LOG.error("internal error in sending traces", e);
                    pause = TraceSender.RETRY_AT_MOST;
                }
            }
            sender.flush(last);
        } catch (InterruptedException e) {
            LOG.debug("traces that still waited are not sent", e);
        }
    }

    /** Sends what waits, if that takes no longer than a moment, and ends. */
    @Override
    public void close() throws InterruptedException {
        stop.countDown();
        thread.join(last.toMillis());
        thread.interrupt();
        sender.close();
    }
}
