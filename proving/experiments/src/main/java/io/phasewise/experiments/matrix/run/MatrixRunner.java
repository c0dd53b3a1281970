/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.run;

import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.fault.Fault;
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
 * Puts faults to a scene, one after the other, each mended before the next, and sees what they do;
 * {@link Judgement} says what that means.
 */
public final class MatrixRunner implements MatrixRun.Stage {
    /** Brokers, canaries and what watches them are new, and slow at first. */
    private static final Duration SETTLE = Duration.ofSeconds(60);

    private static final Duration RECOVERY_BOUND = Duration.ofSeconds(120);

    /** By experience, with the draining and until nobody is named any more. */
    private static final Duration RECOVERS = Duration.ofSeconds(60);

    /** The rules look at five minutes. */
    private static final Duration QUIET_BOUND = Duration.ofMinutes(6);

    /** A minute's mean forgets what was a minute ago. */
    private static final Duration FORGETS = Duration.ofSeconds(90);

    private static final Duration ANSWER_BOUND = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Scene scene;
    private final Monitoring monitoring;
    private final Duration plain;
    private final boolean full;
    private final long started = System.nanoTime();

    /**
     * @param scene for the rows, just started; closed with this
     * @param plain how long to measure without the fault, before and after it
     * @param full whether faults last long enough for alerts
     */
    public MatrixRunner(Scene scene, Duration plain, boolean full) {
        this.scene = scene;
        this.monitoring = scene.monitoring();
        this.plain = plain;
        this.full = full;
    }

    private Duration holds(Row row) {
        return full ? row.holds().full() : row.holds().brief();
    }

    /**
     * Runs one row. Whatever happens, the fault is mended when this returns, in bounded time.
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

    /** What an earlier fault left is no sign of the next one. */
    private void awaitQuiet(Expectation expect) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - started < SETTLE.toNanos()
                || System.nanoTime() - start < FORGETS.toNanos() && !named().isEmpty()
                || full
                        && System.nanoTime() - start < QUIET_BOUND.toNanos()
                        && monitoring.standing().stream()
                                .anyMatch(alert -> blurs(alert, expect.alerts().must()))) {
            Thread.sleep(LOOK.toMillis());
        }
    }

    /** Whether it must fire, or is a page that may hold back what must. */
    private static boolean blurs(Alert alert, List<String> must) {
        return must.contains(alert.name())
                || !must.isEmpty() && alert.severity().equals("critical");
    }

    /** Who is accused now, to whichever canary. */
    private List<Suspect> named() throws IOException, InterruptedException {
        List<Suspect> named = new ArrayList<>(monitoring.suspects(Scene.TOLD));
        named.addAll(monitoring.suspects(Scene.BLIND));
        return named.stream().filter(Suspect::accuses).distinct().toList();
    }

    private Observation observe(Row row) throws IOException, InterruptedException {
        CounterSnapshot start = CounterSnapshot.of(scene.canary());
        TopicLog.Mark topicBefore = TopicLog.Mark.now(scene.cluster().admin());
        List<ProbeRecord> before = plainStretch();
        List<Suspect> namedBefore = named();
        Lasted lasted;
        double recovery;
        List<ProbeRecord> after;
        AlertWatch watch = new AlertWatch(monitoring);
        try (watch) {
            lasted = breakAndMend(row, watch);
            recovery = recovery(lasted.lifted(), before, start.targetMillis());
            // All of the fault's have ended before a stretch without it begins.
            scene.canary().probes(lasted.begun(), Instant.now());
            after = plainStretch();
        }
        CounterSnapshot end = settled();
        TopicLog.Mark topicAfter = TopicLog.Mark.now(scene.cluster().admin());
        boolean sameTopic = topicBefore.id().equals(topicAfter.id());
        ProbeLog log = scene.canary().log();
        List<ProbeRecord> readable = log.due(sameTopic ? lasted.begun() : lasted.mended(), Instant.now());
        List<ProbeRecord> inForce = log.due(lasted.inForce(), lasted.lifted());
        return new Observation(
                start,
                end,
                before,
                log.due(lasted.begun(), lasted.lifted()),
                inForce,
                after,
                ProbeOutcomes.of(row.expect().leaders(), inForce).stream()
                        .mapToDouble(probe -> lasted.fault().addedMillis(probe.due()))
                        .average()
                        .orElse(Double.NaN),
                Duration.between(lasted.begun(), lasted.lifted()).toMillis() / 1e3,
                lasted.told(),
                recovery,
                TopicLog.between(topicBefore, topicAfter, scene.cluster().clientProperties())
                        .missing(readable),
                canaryAlive(),
                namedBefore,
                watch.seen());
    }

    /**
     * A fault's life.
     *
     * @param fault mended by now; knows what it added
     * @param begun just before it was
     * @param inForce when it had been begun
     * @param lifted when its mending began
     * @param mended when it had been mended
     * @param told by a broker meanwhile, as of {@link Observation#told}
     */
    private record Lasted(
            Fault.Broken fault, Instant begun, Instant inForce, Instant lifted, Instant mended, double told) {}

    private Lasted breakAndMend(Row row, AlertWatch watch) throws IOException, InterruptedException {
        Optional<Expectation.Told> told = row.expect().told();
        Instant begun = Instant.now();
        Fault.Broken fault = ActiveFaults.begin(row.faults(), scene.target());
        Instant inForce = Instant.now();
        double millis = Double.NaN;
        Instant lifted;
        try {
            Scrape earlier = told.isPresent() ? exporter(told.get()) : null;
            Thread.sleep(holds(row).toMillis());
            if (told.isPresent()) {
                millis = told.get().millis(earlier, exporter(told.get()));
            }
        } finally {
            lifted = Instant.now();
            watch.seen().mended();
            fault.close();
        }
        return new Lasted(fault, begun, inForce, lifted, Instant.now(), millis);
    }

    /** Probes of a stretch of time without a fault, each to its end. */
    private List<ProbeRecord> plainStretch() throws InterruptedException {
        Instant from = Instant.now();
        Thread.sleep(plain.toMillis());
        return scene.canary().probes(from, Instant.now());
    }

    /** A broker in trouble may not answer at once. */
    private Scrape exporter(Expectation.Told told) throws InterruptedException {
        List<Scrape> answer = new ArrayList<>();
        Await.that("the exporter of broker " + told.broker() + " answers", ANSWER_BOUND)
                .every(Duration.ofMillis(200))
                .until(() -> {
                    answer.add(scene.brokers().scrape(told.broker()).page());
                    return Optional.empty();
                });
        return answer.get(0);
    }

    /**
     * Seconds from the beginning of the mending until probes were as good as before, which the
     * canary must say of itself, too; -1 when never.
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
     * A snapshot between two probes: one page is not one instant, and a probe may end while it is
     * written. A page on which it all adds up is taken; one that never does shows what is wrong.
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
