/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.measure.Phase;
import io.phasewise.experiments.measure.ProbeLog;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.Scrape;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.AwaitException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Puts faults to a scene, one after the other, each mended before the next, and says what was seen.
 * Whether phases moved as they must is judged by {@link Verdict}.
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

    /** Beside those of lanes. */
    static final int MORE_THREADS = 4;

    /** Every change of state is said once, and few changes in a row. */
    private static final int MOST_LOG_LINES = 100;

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
        List<String> faults = new ArrayList<>();
        if (scene.monitoring().isPresent()) {
            AlertWatch.awaitQuiet(
                    scene.monitoring().get(),
                    name -> row.alerts().contains(name) || row.forbidden(name),
                    QUIET_BOUND);
        }
        Reading start = Reading.of(scene.canary());
        log.read();
        int contradictionsBefore = log.contradictions();
        long linesBefore = log.otherLines();
        TopicLog.Mark topicBefore = TopicLog.Mark.now(scene.cluster().admin());
        List<ProbeRecord> before = plainStretch(faults);
        Map<String, Double> told = new LinkedHashMap<>();
        Instant broken;
        Instant inForce;
        Instant lifted;
        Instant mended;
        double recovery;
        List<ProbeRecord> after;
        Alerts alerts;
        try (AlertWatch watch = new AlertWatch(scene.monitoring())) {
            broken = Instant.now();
            Fault.Broken fault = row.injection().begin(scene);
            inForce = Instant.now();
            try {
                List<Scrape> brokersBegan = witnesses(row);
                Thread.sleep(row.holds().toMillis());
                List<Scrape> brokersSince = witnesses(row);
                row.witness()
                        .ifPresent(
                                witness ->
                                        hear(
                                                witness,
                                                brokersBegan.get(witness.broker() - 1),
                                                brokersSince.get(witness.broker() - 1),
                                                told,
                                                faults));
            } finally {
                lifted = Instant.now();
                fault.close();
            }
            mended = Instant.now();
            recovery = recovery(lifted, before, start.targetMillis());
            if (recovery < 0) {
                faults.add("not recovered " + RECOVERY_BOUND.toSeconds() + " s after the mending");
            }
            awaitEnded(Instant.now(), faults);
            after = plainStretch(faults);
            alerts = new Alerts(watch.fired(), watch.inhibited(), watch.before());
        }
        Reading end = settled();
        log.read();
        TopicLog.Mark topicAfter = TopicLog.Mark.now(scene.cluster().admin());
        boolean sameTopic = topicBefore.id().equals(topicAfter.id());
        List<ProbeRecord> readable = log.due(sameTopic ? broken : mended, Instant.now());
        long falseDeliveries =
                TopicLog.between(topicBefore, topicAfter, scene.client()).missing(readable)
                        + end.falseDeliveries();
        before = Fates.of(row.leaders(), before);
        after = Fates.of(row.leaders(), after);
        // What arithmetic says is of a fault in force; what else it does begins with its beginning.
        List<ProbeRecord> window = log.due(broken, lifted);
        List<ProbeRecord> during =
                Fates.of(row.leaders(), row.moved().isEmpty() ? window : log.due(inForce, lifted));
        Verdict verdict =
                new Verdict(row, Fates.means(before), Fates.means(during), Fates.means(after));
        if (verdict.tooNoisy().isEmpty()) {
            faults.addAll(verdict.faults());
            faults.addAll(Effects.faults(row, end.outcomes(start), during, before, verdict));
        }
        if (scene.monitoring().isPresent()) {
            faults.addAll(alerts.faults(row));
        }
        int contradictions = log.contradictions() - contradictionsBefore;
        if (contradictions > 0) {
            faults.add(contradictions + " probes with two ends in the log");
        }
        return judged(
                row,
                start,
                end,
                verdict,
                Duration.between(broken, lifted).toMillis() / 1e3,
                Fates.outcomes(window),
                falseDeliveries,
                told,
                alerts,
                recovery,
                log.otherLines() - linesBefore,
                faults);
    }

    /** Probes of a stretch of time without a fault, each to its end. */
    private List<ProbeRecord> plainStretch(List<String> faults)
            throws IOException, InterruptedException {
        Instant from = Instant.now();
        Thread.sleep(plain.toMillis());
        Instant to = Instant.now();
        awaitEnded(to, faults);
        return log.due(from, to);
    }

    /** Waits until every probe that was due before an instant has ended. */
    private void awaitEnded(Instant before, List<String> faults)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        for (log.read(); !log.ended(before); log.read()) {
            if (System.nanoTime() - begun > DRAIN_BOUND.toNanos()) {
                faults.add("probes have not ended " + DRAIN_BOUND.toSeconds() + " s later");
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

    private static void hear(
            Row.Witness witness,
            Scrape began,
            Scrape since,
            Map<String, Double> told,
            List<String> faults) {
        double millis = witness.millis(began, since);
        if (!(millis >= witness.leastMillis())) {
            faults.add(
                    String.format(
                            Locale.ROOT,
                            "broker %d told of %.1f ms of %s, at least %.0f were expected",
                            witness.broker(),
                            millis,
                            witness.what(),
                            witness.leastMillis()));
        }
        if (!Double.isNaN(millis)) {
            told.put(witness.what() + ", broker " + witness.broker(), millis);
        }
    }

    private RowResult judged(
            Row row,
            Reading start,
            Reading end,
            Verdict verdict,
            double windowSeconds,
            Map<String, Long> window,
            long falseDeliveries,
            Map<String, Double> told,
            Alerts alerts,
            double recovery,
            long logLines,
            List<String> faults) {
        if (!end.conserved()) {
            faults.add("probes scheduled are not outcomes and in flight");
        }
        long clockSteps = end.grown(start, "kafka_canary_clock_steps_total");
        if (row.needs() == Row.Needs.CLOCK && clockSteps == 0) {
            faults.add("no step of the clock was counted");
        }
        if (falseDeliveries > 0) {
            faults.add(falseDeliveries + " false deliveries");
        }
        if (!scene.canary().process().isAlive()) {
            faults.add("the canary has ended");
        }
        long moreThreads = end.threadsWithoutLanes() - start.threadsWithoutLanes();
        if (moreThreads > MORE_THREADS) {
            faults.add(moreThreads + " more threads of the canary beside those of lanes");
        }
        if (logLines > MOST_LOG_LINES) {
            faults.add(logLines + " lines of log");
        }
        double wander = verdict.wander();
        return new RowResult(
                row.name(),
                row.about(),
                faults,
                verdict.tooNoisy(),
                end.grown(start, "kafka_canary_probes_scheduled_total"),
                end.outcomes(start),
                end.grown(start, "kafka_canary_probes_in_flight"),
                windowSeconds,
                window,
                falseDeliveries,
                end.grown(start, "kafka_canary_duplicates_total"),
                end.grown(start, "kafka_canary_stalled_probes_total"),
                clockSteps,
                labelled(row.moved()),
                labelled(verdict.added()),
                Double.isNaN(wander) ? null : wander,
                told,
                alerts.fired(),
                alerts.inhibited(),
                alerts.before(),
                scene.monitoring().isPresent(),
                recovery,
                start.threads(),
                end.threads(),
                start.heapMebibytes(),
                end.heapMebibytes(),
                logLines);
    }

    private static Map<String, Double> labelled(Map<Phase, Double> phases) {
        Map<String, Double> labelled = new LinkedHashMap<>();
        phases.forEach(
                (phase, value) -> {
                    // JSON has no NaN: a phase of which no probe told is left out.
                    if (!Double.isNaN(value)) {
                        labelled.put(phase.label(), value);
                    }
                });
        return labelled;
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
