/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.measure.ProbeLog;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.Scrape;
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
public final class MatrixRunner {
    private static final Duration RECOVERY_BOUND = Duration.ofSeconds(120);

    /** By experience, with the draining. */
    private static final Duration RECOVERS = Duration.ofSeconds(8);

    /** What a probe may take to end, the canary's loss horizon of 20 s, and as much again. */
    private static final Duration DRAIN_BOUND = Duration.ofSeconds(40);

    /** The rules look at five minutes. */
    private static final Duration QUIET_BOUND = Duration.ofMinutes(6);

    private static final Duration ANSWER_BOUND = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Scene scene;
    private final Duration plain;
    private final ProbeLog log;

    /**
     * @param scene for the rows; stays usable
     * @param plain how long to measure without the fault, before and after it
     */
    public MatrixRunner(Scene scene, Duration plain) {
        this.scene = scene;
        this.plain = plain;
        this.log = new ProbeLog(scene.canary().process().log());
    }

    /** About how long a row takes, on an idle machine and where the fault begins at once. */
    public Duration estimate(Row row) {
        return plain.multipliedBy(2).plus(row.holds()).plus(RECOVERS);
    }

    /**
     * Runs one row. Whatever happens, the fault is mended when this returns, in bounded time.
     *
     * @throws IOException when something cannot be asked
     * @throws InterruptedException when interrupted
     */
    public RowResult run(Row row) throws IOException, InterruptedException {
        if (scene.monitoring().isPresent()) {
            AlertWatch.awaitQuiet(
                    scene.monitoring().get(),
                    name -> row.alerts().contains(name) || row.forbidden(name),
                    QUIET_BOUND);
        }
        return Judgement.of(observe(row));
    }

    private Observation observe(Row row) throws IOException, InterruptedException {
        List<String> missed = new ArrayList<>();
        Reading start = Reading.of(scene.canary());
        log.read();
        int contradictionsBefore = log.contradictions();
        long linesBefore = log.otherLines();
        TopicLog.Mark topicBefore = TopicLog.Mark.now(scene.cluster().admin());
        List<ProbeRecord> before = plainStretch(missed);
        Lasted lasted;
        double recovery;
        List<ProbeRecord> after;
        Alerts alerts;
        try (AlertWatch watch = new AlertWatch(scene.monitoring())) {
            lasted = breakAndMend(row, watch);
            recovery = recovery(lasted.lifted(), before, start.targetMillis());
            if (recovery < 0) {
                missed.add("not recovered " + RECOVERY_BOUND.toSeconds() + " s after the mending");
            }
            awaitEnded(Instant.now(), missed);
            after = plainStretch(missed);
            alerts =
                    new Alerts(watch.fired(), watch.inhibited(), watch.before(), lasted.resolved());
        }
        Reading end = settled();
        log.read();
        TopicLog.Mark topicAfter = TopicLog.Mark.now(scene.cluster().admin());
        boolean sameTopic = topicBefore.id().equals(topicAfter.id());
        List<ProbeRecord> readable =
                log.due(sameTopic ? lasted.begun() : lasted.mended(), Instant.now());
        return new Observation(
                row,
                start,
                end,
                before,
                log.due(lasted.begun(), lasted.lifted()),
                log.due(lasted.inForce(), lasted.lifted()),
                after,
                Duration.between(lasted.begun(), lasted.lifted()).toMillis() / 1e3,
                lasted.told(),
                recovery,
                TopicLog.between(topicBefore, topicAfter, scene.client()).missing(readable),
                log.contradictions() - contradictionsBefore,
                log.otherLines() - linesBefore,
                scene.canary().process().isAlive(),
                scene.monitoring().map(watched -> alerts),
                missed);
    }

    /**
     * A fault's life.
     *
     * @param begun just before it was
     * @param inForce when it had been begun
     * @param lifted when its mending began
     * @param mended when it had been mended
     * @param told by a broker meanwhile, as of {@link Observation#told}
     * @param resolved alerts that were reported as resolved before its mending began
     */
    private record Lasted(
            Instant begun,
            Instant inForce,
            Instant lifted,
            Instant mended,
            double told,
            List<String> resolved) {}

    private Lasted breakAndMend(Row row, AlertWatch watch)
            throws IOException, InterruptedException {
        Instant begun = Instant.now();
        Fault.Broken fault = row.injection().begin(scene);
        Instant inForce = Instant.now();
        double told;
        Instant lifted;
        List<String> resolved;
        try {
            List<Scrape> brokersBegan = witnesses(row);
            Thread.sleep(row.holds().toMillis());
            List<Scrape> brokersSince = witnesses(row);
            told =
                    row.witness()
                            .map(
                                    witness ->
                                            witness.millis(
                                                    brokersBegan.get(witness.broker() - 1),
                                                    brokersSince.get(witness.broker() - 1)))
                            .orElse(Double.NaN);
        } finally {
            lifted = Instant.now();
            resolved = watch.resolved();
            fault.close();
        }
        return new Lasted(begun, inForce, lifted, Instant.now(), told, resolved);
    }

    /** Probes of a stretch of time without a fault, each to its end. */
    private List<ProbeRecord> plainStretch(List<String> missed)
            throws IOException, InterruptedException {
        Instant from = Instant.now();
        Thread.sleep(plain.toMillis());
        Instant to = Instant.now();
        awaitEnded(to, missed);
        return log.due(from, to);
    }

    /** Waits until every probe that was due before an instant has ended. */
    private void awaitEnded(Instant before, List<String> missed)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        for (log.read(); !log.ended(before); log.read()) {
            if (System.nanoTime() - begun > DRAIN_BOUND.toNanos()) {
                missed.add("probes have not ended " + DRAIN_BOUND.toSeconds() + " s later");
                return;
            }
            Thread.sleep(LOOK.toMillis());
        }
    }

    /** What the brokers' exporters say, where the row wants to know. */
    private List<Scrape> witnesses(Row row) throws InterruptedException {
        List<Scrape> told = new ArrayList<>();
        if (row.witness().isPresent()) {
            // A broker in trouble may not answer at once.
            Await.that("the brokers' exporters answer", ANSWER_BOUND)
                    .every(Duration.ofMillis(200))
                    .until(
                            () -> {
                                told.clear();
                                told.addAll(scene.exporters());
                                return Optional.empty();
                            });
        }
        return told;
    }

    /**
     * Seconds from the beginning of the mending until probes were as good as before, which the
     * canary must say of itself, too; -1 when never.
     */
    private double recovery(Instant lifted, List<ProbeRecord> before, double goodMillis)
            throws IOException, InterruptedException {
        long mended = System.nanoTime();
        while (System.nanoTime() - mended < RECOVERY_BOUND.toNanos()) {
            log.read();
            Optional<Instant> good = Fates.recovered(log, lifted, before, goodMillis);
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
     * A reading between two probes: one page is not one instant, and a probe may end while it is
     * written. A page on which it all adds up is taken; one that never does shows what is wrong.
     */
    private Reading settled() throws IOException, InterruptedException {
        Reading reading = Reading.of(scene.canary());
        for (int i = 0; i < 40 && !(reading.conserved() && reading.falseDeliveries() == 0); i++) {
            Thread.sleep(50);
            reading = Reading.of(scene.canary());
        }
        return reading;
    }
}
