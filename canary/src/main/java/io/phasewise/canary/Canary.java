/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import io.phasewise.canary.cluster.ClusterCanary;
import io.phasewise.canary.config.CanaryConfig;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.metrics.CanaryMetrics;
import io.phasewise.canary.metrics.ClusterMetrics;
import io.phasewise.canary.metrics.KafkaClients;
import io.phasewise.canary.status.ClusterStatus;
import io.phasewise.canary.trace.TraceExport;
import io.phasewise.canary.trace.TraceMetrics;
import io.phasewise.canary.watch.HiccupMeter;
import io.phasewise.canary.watch.RunQueueWait;
import io.phasewise.canary.watch.Stalls;
import io.phasewise.canary.web.StatusSource;
import io.phasewise.canary.web.WebServer;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The whole canary: every configured cluster and profile, the metrics and the web server, started
 * and stopped in order. The command line is left to {@link Main}.
 */
public final class Canary implements StatusSource, AutoCloseable {
    /** A probe touched by a pause of this process of at least this long is marked. */
    private static final Duration STALL = Duration.ofMillis(20);

    private final String version;
    private final Optional<String> site;
    private final Instant startedAt = Instant.now();
    private final KafkaClients kafkaClients;
    private final List<ClusterCanary> clusters = new CopyOnWriteArrayList<>();
    private final HiccupMeter hiccups;
    private final Optional<TraceExport> traces;
    private final WebServer web;

    /**
     * Binds the port; measures nothing before {@link #start}.
     *
     * @param config what to do
     * @param version shown to the reader
     * @throws IOException when the port cannot be bound
     */
    public Canary(CanaryConfig config, String version) throws IOException {
        this(config, version, System::nanoTime);
    }

    /**
     * As {@link #Canary(CanaryConfig, String)}, on another clock.
     *
     * @param nanoClock monotonic nanoseconds, read by the threads that do the measuring
     * @throws IOException when the port cannot be bound
     */
    public Canary(CanaryConfig config, String version, LongSupplier nanoClock) throws IOException {
        this.version = version;
        site = config.site();
        Labels everywhere = site.map(name -> Labels.of("site", name)).orElse(Labels.EMPTY);
        PrometheusRegistry registry = new PrometheusRegistry();
        web = new WebServer(config.http(), registry, everywhere, this, nanoClock);
        JvmMetrics.builder().constLabels(everywhere).register(registry);
        kafkaClients = new KafkaClients(registry, everywhere);
        List<Double> targets =
                config.clusters().stream().map(c -> c.slo().target().toNanos() / 1e9).toList();
        CanaryMetrics metrics =
                new CanaryMetrics(registry, targets, STALL, () -> clusters, everywhere);
        if (RunQueueWait.isTold(RunQueueWait.TASKS)) {
            CanaryMetrics.runQueueWait(
                    registry, new RunQueueWait(RunQueueWait.TASKS)::seconds, everywhere);
        }
        Stalls stalls = new Stalls(STALL.toNanos(), nanoClock);
        traces =
                config.traces()
                        .map(
                                to ->
                                        new TraceExport(
                                                to,
                                                version,
                                                new TraceMetrics(registry, everywhere),
                                                nanoClock));
        SecureRandom random = new SecureRandom();
        List<ClusterMetrics> byCluster = new ArrayList<>();
        for (ClusterConfig cluster : config.clusters()) {
            ClusterMetrics own =
                    metrics.cluster(cluster.name(), cluster.profile(), cluster.phases());
            byCluster.add(own);
            clusters.add(
                    new ClusterCanary(
                            cluster,
                            own,
                            kafkaClients,
                            random.nextLong(),
                            stalls,
                            traces,
                            nanoClock));
        }
        // There is one for all, and what it tells is missing in each cluster.
        hiccups =
                new HiccupMeter(
                        stalls,
                        metrics::hiccup,
                        fault -> byCluster.forEach(each -> each.error("hiccups", fault)),
                        nanoClock);
    }

    /** Starts to serve and to measure; returns at once. */
    public void start() {
        web.start();
        hiccups.start();
        traces.ifPresent(TraceExport::start);
        clusters.forEach(ClusterCanary::start);
    }

    /** The port the web server listens on. */
    public int port() {
        return web.port();
    }

    /**
     * Stops every cluster, all at the same time, then the web server; takes less than five seconds.
     */
    @Override
    public void close() throws InterruptedException {
        List<Thread> stopping = new ArrayList<>();
        for (ClusterCanary cluster : clusters) {
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    cluster.stop();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            },
                            "stop-" + cluster.cluster() + "@" + cluster.profile());
            thread.setDaemon(true);
            thread.start();
            stopping.add(thread);
        }
        long end = System.nanoTime() + 4_500_000_000L;
        for (Thread thread : stopping) {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
        }
        hiccups.stop();
        if (traces.isPresent()) {
            traces.get().close();
        }
        kafkaClients.close();
        web.close();
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Optional<String> site() {
        return site;
    }

    @Override
    public Instant startedAt() {
        return startedAt;
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public List<ClusterStatus> clusters() {
        return clusters.stream().map(ClusterCanary::status).toList();
    }
}
