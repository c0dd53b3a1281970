/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.record;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.show.metrics.CanaryMetrics;
import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.show.metrics.LeaderRecorder;
import io.phasewise.canary.show.metrics.RecentWindow;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.slow.ProbeJournal;
import io.phasewise.canary.show.slow.ProbeSource;
import io.phasewise.canary.split.OwnWaits;
import io.phasewise.canary.split.PhaseEstimator;
import io.phasewise.canary.split.Splitter;
import io.phasewise.canary.supervise.Stalls;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.SendResult;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the canary does for one probe, without Kafka's clients: it schedules it, notes its
 * acknowledgement and its poll, takes its delivery, estimates its instants, splits its latency and
 * observes it in every histogram, with the production classes. Times are simulated: 10,000 probes
 * per second over three leaders, with latencies as skewed as real ones, so that histograms fill as
 * they do in use.
 */
@State(Scope.Thread)
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordedProbe {
    private static final int LEADERS = 3;
    private static final long INSTANCE = 1;
    private static final Duration TARGET = Duration.ofMillis(50);
    private static final long GAP_NANOS = 100_000;
    private static final long STALL_NANOS = 20_000_000;
    private static final int POLLS_REMEMBERED = 32_768;
    private static final int SWEEP_EVERY = 1_000;

    /** Number of latencies, which are used in turn; a power of two. */
    private static final int DRAWN = 1 << 16;

    private final long[] latencies = new long[DRAWN];
    private final int[] brought = new int[1];
    private long now;
    private int turn;

    private ProbeJournal journal;
    private Ledger ledger;
    private Splitter splitter;
    private PollLog polls;
    private ClusterMetrics metrics;

    /** Makes all objects anew. */
    @Setup
    public void prepare() {
        Random random = new Random(20_261_121);
        for (int i = 0; i < DRAWN; i++) {
            // Log-normal around 2 ms: p99 about 8 ms, as on a busy broker.
            latencies[i] = (long) (2_000_000 * Math.exp(0.6 * random.nextGaussian()));
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        metrics = new CanaryMetrics(
                        new SeriesRegistry(registry, Labels.EMPTY, List.of(0.05)), Duration.ofMillis(20), List::of)
                .cluster("bench", "default");
        polls = new PollLog(Duration.ofSeconds(60).toNanos(), POLLS_REMEMBERED);
        Stalls stalls = new Stalls(STALL_NANOS, () -> now);
        journal = new ProbeJournal(
                50,
                10,
                TARGET,
                new ProbeSource(
                        "bench",
                        "default",
                        "bench",
                        INSTANCE,
                        new WallTime(InstantSource.system(), () -> now),
                        stalls::within),
                () -> now,
                line -> {});
        List<LeaderRecorder> recorders = new ArrayList<>();
        for (int leader = 0; leader < LEADERS; leader++) {
            recorders.add(metrics.leader(
                    leader,
                    new RecentWindow(() -> now),
                    nanos -> stalls.within(now - nanos, now) > 0,
                    TARGET,
                    INSTANCE,
                    null));
        }
        splitter = new Splitter(
                new PhaseEstimator(Acks.ALL, Attribution.CRITICAL_PATH, polls, new BrokerClocks()),
                Optional.empty(),
                new OwnWaits("bench", false, 0, Duration.ofSeconds(5).toNanos(), stalls::within),
                (reason, leader) -> {},
                List.of((trip, breakdown) -> recorders.get(trip.leader()).phases(trip, breakdown), journal));
        ledger = new Ledger(
                TARGET, Duration.ofSeconds(5), Duration.ofSeconds(60), recorders::get, splitter::add, stalls::within);
        for (int leader = 0; leader < LEADERS; leader++) {
            ledger.lead(leader, leader);
        }
    }

    /** One probe, from scheduled to recorded. */
    @Benchmark
    public Probe record() {
        turn++;
        int partition = turn % LEADERS;
        long latency = latencies[turn & DRAWN - 1];
        polls.entered(now);
        now += GAP_NANOS;
        long due = now - latency;
        long sent = due + latency / 16;
        long dispatched = due + latency / 8;
        long acknowledged = now - latency / 4;

        metrics.scheduleLag(sent - due);
        Probe probe = ledger.scheduled(partition, due);
        metrics.laneWait(0);
        ledger.acknowledged(probe, acknowledged);
        ledger.reported(probe, new SendResult(List.of(dispatched), acknowledged, partition, List.of(), sent, 0, turn));
        brought[0] = partition;
        polls.left(now, brought, 1);
        long appendMillis = (dispatched + acknowledged) / 2 / 1_000_000;
        ledger.delivered(partition, probe.sequence(), new Delivery(now, appendMillis, turn));
        if (turn % SWEEP_EVERY == 0) {
            ledger.sweep(now);
            splitter.turn(now);
            journal.flush();
        }
        return probe;
    }
}
