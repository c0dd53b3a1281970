/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import io.phasewise.canary.account.suspect.StateFile;
import io.phasewise.canary.cluster.ClusterSession;
import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.InputListener;
import io.phasewise.canary.cluster.context.PauseFile;
import io.phasewise.canary.config.CanaryConfig;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.show.metrics.AgentMetrics;
import io.phasewise.canary.show.metrics.CanaryMetrics;
import io.phasewise.canary.show.metrics.KafkaClients;
import io.phasewise.canary.show.metrics.SuspectMetrics;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.CanaryStatus;
import io.phasewise.canary.show.status.ClusterSuspects;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.show.trace.TraceExport;
import io.phasewise.canary.show.trace.TraceMetrics;
import io.phasewise.canary.show.web.WebServer;
import io.phasewise.canary.supervise.HiccupMeter;
import io.phasewise.canary.supervise.RunQueueWait;
import io.phasewise.canary.supervise.Stalls;
import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.supervise.Supervisor;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The whole canary: every configured cluster and profile, the metrics and the web server, started
 * and stopped in order. The command line is left to {@link Main}.
 */
public final class Canary implements AutoCloseable {
    /** A probe that met a pause of this process of more than this is counted as stalled. */
    private static final Duration STALL = Duration.ofMillis(20);

    private static final Duration STOP = Duration.ofMillis(4_500);
    private static final Duration KEEP_STATE = Duration.ofMinutes(1);
    private static final Duration KEEP_AT_THE_END = Duration.ofMillis(300);

    private final String version;
    private final Optional<String> site;
    private final InstantSource wallClock = InstantSource.system();
    private final Instant startedAt = wallClock.instant();
    private final Supervisor supervisor;
    private final KafkaClients kafkaClients;
    private final List<ClusterSession> clusters = new CopyOnWriteArrayList<>();
    private final HiccupMeter hiccups;
    private final Optional<SupervisedThread> stateKeeper;
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
        this(config, version, nanoClock, InputListener.NONE);
    }

    /**
     * As {@link #Canary(CanaryConfig, String, LongSupplier)}, overheard.
     *
     * @param inputs hears what the naming of suspects rests on
     * @throws IOException when the port cannot be bound
     */
    public Canary(CanaryConfig config, String version, LongSupplier nanoClock, InputListener inputs)
            throws IOException {
        this.version = version;
        site = config.site();
        Labels everywhere = site.map(name -> Labels.of("site", name)).orElse(Labels.EMPTY);
        PrometheusRegistry registry = new PrometheusRegistry();
        List<Double> targets = config.clusters().stream()
                .map(c -> c.slo().target().toNanos() / 1e9)
                .toList();
        SeriesRegistry series = new SeriesRegistry(registry, everywhere, targets);
        web = new WebServer(config.http(), registry, series, this::status, this::suspects, nanoClock);
        JvmMetrics.builder().constLabels(everywhere).register(registry);
        supervisor = new Supervisor(nanoClock);
        kafkaClients = new KafkaClients(
                registry, everywhere, supervisor.tasks("client-metrics", fault -> count("metrics", fault)));
        CanaryMetrics metrics = new CanaryMetrics(series, STALL, this::snapshots);
        if (RunQueueWait.isAvailable(RunQueueWait.TASKS)) {
            series.read("kafka_canary_run_queue_wait_seconds_total", new RunQueueWait(RunQueueWait.TASKS)::seconds);
        }
        Stalls stalls = new Stalls(STALL.toNanos(), nanoClock);
        traces = config.traces().map(to -> new TraceExport(to, version, new TraceMetrics(series)));
        CanaryContext context = new CanaryContext(
                supervisor,
                metrics,
                kafkaClients,
                stalls,
                traces,
                new PauseFile(config.pauseFile(), nanoClock),
                inputs,
                new WallTime(wallClock, nanoClock),
                nanoClock);
        SecureRandom random = new SecureRandom();
        for (List<ClusterConfig> profiles : config.byCluster().values()) {
            clusters.add(new ClusterSession(profiles, random::nextLong, context));
        }
        new SuspectMetrics(series, this::suspects);
        new AgentMetrics(series, this::agents);
        LongConsumer late = nanos -> {
            metrics.hiccup(nanos);
            inputs.hiccup(nanos);
        };
        hiccups = new HiccupMeter(supervisor, stalls, late, fault -> count("hiccups", fault), nanoClock);
        stateKeeper = config.stateFile().map(this::stateKeeper);
    }

    /** A thread of its own reads the file once, then writes it once a minute and at the end: its disk may hang. */
    private SupervisedThread stateKeeper(Path path) {
        StateFile file = new StateFile(path, wallClock, fault -> count("state-file", fault));
        clusters.forEach(cluster -> cluster.keep(file));
        AtomicReference<SupervisedThread> keeper = new AtomicReference<>();
        SupervisedThread.Turn turn = () -> {
            if (!file.hasRead()) {
                file.read();
            }
            keeper.get().pause(KEEP_STATE);
            file.write();
        };
        keeper.set(supervisor.loop("state-file", fault -> count("state-file", fault), turn));
        return keeper.get();
    }

    private List<ClusterSuspects> suspects() {
        return clusters.stream().map(ClusterSession::suspects).toList();
    }

    private Map<String, Map<Integer, Boolean>> agents() {
        Map<String, Map<Integer, Boolean>> agents = new LinkedHashMap<>();
        clusters.forEach(cluster -> agents.put(cluster.name(), cluster.agents()));
        return agents;
    }

    private List<ProfileSnapshot> snapshots() {
        return clusters.stream()
                .flatMap(cluster -> cluster.snapshots().stream())
                .toList();
    }

    /**
     * Counts a fault of a thread that serves all clusters, in each of them: each lacks what it
     * measures.
     */
    private void count(String thread, Throwable fault) {
        clusters.forEach(cluster -> cluster.error(thread, fault));
    }

    /** Starts to serve and to measure; returns at once. */
    public void start() {
        web.start();
        hiccups.start();
        stateKeeper.ifPresent(SupervisedThread::start);
        clusters.forEach(ClusterSession::start);
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
        Map<String, SupervisedThread.Turn> stops = new LinkedHashMap<>();
        clusters.forEach(cluster -> stops.put("stop-" + cluster.name(), cluster::stop));
        supervisor.atOnce(stops, STOP);
        hiccups.stop();
        if (stateKeeper.isPresent()) {
            stateKeeper.get().stop();
            stateKeeper.get().join(KEEP_AT_THE_END);
        }
        traces.ifPresent(TraceExport::close);
        kafkaClients.close();
        web.close();
    }

    /** How the canary is doing now. */
    public CanaryStatus status() {
        return new CanaryStatus(
                version,
                site,
                startedAt,
                wallClock.instant(),
                clusters.stream().flatMap(cluster -> cluster.status().stream()).toList(),
                suspects());
    }
}
