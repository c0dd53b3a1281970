/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.run;

import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.matrix.judgement.Judgement;
import io.phasewise.experiments.matrix.observation.AlertWatch;
import io.phasewise.experiments.matrix.observation.CounterSnapshot;
import io.phasewise.experiments.matrix.observation.Observation;
import io.phasewise.experiments.matrix.observation.ProbeOutcomes;
import io.phasewise.experiments.matrix.observation.TopicLog;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.row.Expectation;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.matrix.scene.Alert;
import io.phasewise.experiments.matrix.scene.Monitoring;
import io.phasewise.experiments.matrix.scene.Scene;
import io.phasewise.experiments.measure.ProbeLog;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.AwaitException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs rows on one scene, one after the other: begins the faults, observes, mends. {@link
 * Judgement} judges what was observed.
 */
public final class RowRunner implements MatrixRunner.Stage {
    /** Brokers, canaries and servers have just started, and are slow at first. */
    private static final Duration SETTLE = Duration.ofSeconds(60);

    private static final Duration RECOVERY_BOUND = Duration.ofSeconds(120);

    /** By experience: until all probes have ended and nobody is named any more. */
    private static final Duration RECOVERS = Duration.ofSeconds(60);

    /** The rules look back five minutes. */
    private static final Duration QUIET_BOUND = Duration.ofMinutes(6);

    /** A name ends half a minute after the last probe that waited; those of the rules of before when their minute is over. */
    private static final Duration FORGETS = Duration.ofSeconds(90);

    private static final Duration ANSWER_BOUND = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Scene scene;
    private final Monitoring monitoring;
    private final Duration plain;
    private final boolean full;
    private final long started = System.nanoTime();

    /**
     * @param scene for the rows; has just started, and is closed with this
     * @param plain how long to measure without the fault, before and after it
     * @param full whether faults last long enough for alerts
     */
    public RowRunner(Scene scene, Duration plain, boolean full) {
        this.scene = scene;
        this.monitoring = scene.monitoring();
        this.plain = plain;
        this.full = full;
    }

    private Duration holds(Row row) {
        return full ? row.holds().full() : row.holds().brief();
    }

    /**
     * Runs one row. Whatever happens, the fault is mended on return, which comes in bounded time.
     *
     * @throws IOException when something cannot be asked
     * @throws InterruptedException when interrupted
     */
    @Override
    public RowResult run(Row row) throws IOException, InterruptedException {
        awaitQuiet(row.expect());
        try (ActiveFaults given = ActiveFaults.begin(row.given(), scene.target())) {
            return Judgement.of(row, observe(row), full);
        }
    }

    @Override
    public Duration estimate(Row row) {
        return plain.multipliedBy(2).plus(holds(row)).plus(RECOVERS);
    }

    @Override
    public boolean canaryAlive() {
        return scene.canary().process().isAlive();
    }

    @Override
    public void close() throws InterruptedException {
        scene.close();
    }

    /**
     * Waits until the traces of an earlier fault are gone, as they would be taken for the next
     * one's.
     */
    private void awaitQuiet(Expectation expect) throws IOException, InterruptedException {
        if (expect.suspects().must().stream().anyMatch(Suspect::isLearned)) {
            scene.canary().awaitLearned();
        }
        long start = System.nanoTime();
        while (System.nanoTime() - started < SETTLE.toNanos()
                || System.nanoTime() - start < FORGETS.toNanos() && somebodyIsNamed()
                || full
                        && System.nanoTime() - start < QUIET_BOUND.toNanos()
                        && monitoring.standing().stream()
                                .anyMatch(alert -> blurs(alert, expect.alerts().must()))) {
            Thread.sleep(LOOK.toMillis());
        }
    }

    /** Whether the alert must fire in this row, or is critical and might inhibit one that must. */
    private static boolean blurs(Alert alert, List<String> must) {
        return must.contains(alert.name())
                || !must.isEmpty() && alert.severity().equals("critical");
    }

    private boolean somebodyIsNamed() throws IOException, InterruptedException {
        return !named().isEmpty()
                || !monitoring.formerSuspects(Scene.WITH_EXPORTERS).isEmpty();
    }

    /** All suspects now, by either canary. */
    private List<Suspect> named() throws IOException, InterruptedException {
        List<Suspect> named = new ArrayList<>(monitoring.suspects(Scene.WITH_EXPORTERS));
        named.addAll(monitoring.suspects(Scene.WITHOUT_EXPORTERS));
        return named.stream().distinct().toList();
    }

    private Observation observe(Row row) throws IOException, InterruptedException {
        CounterSnapshot start = CounterSnapshot.of(scene.canary());
        TopicLog.Ends topicBefore = TopicLog.Ends.now(scene.cluster().admin());
        List<ProbeRecord> before = plainStretch();
        List<Suspect> namedBefore = named();
        FaultTimes times;
        double recovery;
        List<ProbeRecord> after;
        AlertWatch watch = new AlertWatch(monitoring);
        try (watch) {
            times = breakAndMend(row, watch);
            recovery = recovery(times.lifted(), before, start.targetMillis());
            // All probes of the fault's time have ended before the next stretch begins.
            scene.canary().probes(times.begun(), Instant.now());
            after = plainStretch();
        }
        CounterSnapshot end = settled();
        TopicLog.Ends topicAfter = TopicLog.Ends.now(scene.cluster().admin());
        boolean sameTopic = topicBefore.id().equals(topicAfter.id());
        ProbeLog log = scene.canary().log();
        List<ProbeRecord> readable = log.due(sameTopic ? times.begun() : times.mended(), Instant.now());
        List<ProbeRecord> inForce = log.due(times.inForce(), times.lifted());
        return new Observation(
                start,
                end,
                before,
                log.due(times.begun(), times.lifted()),
                inForce,
                after,
                ProbeOutcomes.of(row.expect().leaders(), inForce).stream()
                        .mapToDouble(probe -> times.fault().addedMillis(probe.due()))
                        .average()
                        .orElse(Double.NaN),
                Duration.between(times.begun(), times.lifted()).toMillis() / 1e3,
                times.brokerMean(),
                recovery,
                TopicLog.between(topicBefore, topicAfter, scene.cluster().clientProperties())
                        .missing(readable),
                canaryAlive(),
                namedBefore,
                watch.seen());
    }

    /**
     * A fault that has been mended, and when it was in force.
     *
     * @param fault knows what it added
     * @param begun just before it was begun
     * @param inForce just after it was begun
     * @param lifted when its mending began
     * @param mended when its mending had ended
     * @param brokerMean as in {@link Observation#brokerMean}
     */
    private record FaultTimes(
            ActiveFault fault, Instant begun, Instant inForce, Instant lifted, Instant mended, double brokerMean) {}

    private FaultTimes breakAndMend(Row row, AlertWatch watch) throws IOException, InterruptedException {
        Optional<Expectation.BrokerMean> asked = row.expect().brokerMean();
        Instant begun = Instant.now();
        ActiveFault fault = ActiveFaults.begin(row.faults(), scene.target());
        Instant inForce = Instant.now();
        double millis = Double.NaN;
        Instant lifted;
        try {
            Scrape earlier = asked.isPresent() ? exporter(asked.get()) : null;
            Thread.sleep(holds(row).toMillis());
            if (asked.isPresent()) {
                millis = asked.get().millis(earlier, exporter(asked.get()));
            }
        } finally {
            lifted = Instant.now();
            watch.seen().mended();
            fault.close();
        }
        return new FaultTimes(fault, begun, inForce, lifted, Instant.now(), millis);
    }

    /** Measures for a stretch of time without a fault; returns its probes when all have ended. */
    private List<ProbeRecord> plainStretch() throws InterruptedException {
        Instant from = Instant.now();
        Thread.sleep(plain.toMillis());
        return scene.canary().probes(from, Instant.now());
    }

    /** The page of a broker's exporter. A broker in trouble may not answer at the first try. */
    private Scrape exporter(Expectation.BrokerMean asked) throws InterruptedException {
        List<Scrape> answer = new ArrayList<>();
        Await.that("the exporter of broker " + asked.broker() + " answers", ANSWER_BOUND)
                .every(Duration.ofMillis(200))
                .until(() -> {
                    answer.add(scene.brokers().scrape(asked.broker()).page());
                    return Optional.empty();
                });
        return answer.get(0);
    }

    /**
     * Seconds from the beginning of the mending until probes were as good as before and the canary
     * was ready; -1 when that took too long.
     */
    private double recovery(Instant lifted, List<ProbeRecord> before, double goodMillis)
            throws IOException, InterruptedException {
        long mended = System.nanoTime();
        while (System.nanoTime() - mended < RECOVERY_BOUND.toNanos()) {
            ProbeLog log = scene.canary().log();
            log.read();
            Optional<Instant> good = ProbeOutcomes.recovered(log, lifted, before, goodMillis);
            if (good.isPresent() && ready()) {
                return Duration.between(lifted, good.get()).toMillis() / 1e3;
            }
            Thread.sleep(LOOK.toMillis());
        }
        return -1;
    }

    private boolean ready() throws InterruptedException {
        try {
            scene.canary().awaitReady();
            return true;
        } catch (AwaitException notReady) {
            return false;
        }
    }

    /**
     * A snapshot whose counters add up. A page is not written in one instant, and a probe may end
     * meanwhile, so it is read again until they add up. When they never do, the last page shows
     * what is wrong.
     */
    private CounterSnapshot settled() throws IOException, InterruptedException {
        CounterSnapshot snapshot = CounterSnapshot.of(scene.canary());
        for (int i = 0; i < 40 && !(snapshot.conserved() && snapshot.falseDeliveries() == 0); i++) {
            Thread.sleep(50);
            snapshot = CounterSnapshot.of(scene.canary());
        }
        return snapshot;
    }
}
