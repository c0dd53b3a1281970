/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.measure.Phase;
import io.phasewise.experiments.measure.Scrape;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.AwaitException;
import java.io.IOException;
import java.time.Duration;
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

    private static final Duration DRAIN_BOUND = Duration.ofSeconds(40);
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** A fault that begins meets probes under way; they are not its own. */
    private static final Duration SETTLE = Duration.ofMillis(1_500);

    /** Lanes come and go with the stalls they absorb, a thread each. */
    private static final int MORE_THREADS = 24;

    /** Every change of state is said once; ten slow probes a minute, and few changes in a row. */
    private static final int MOST_LOG_LINES = 300;

    /** Two seconds' worth: a machine that is busy has no fewer without a fault. */
    private static final int USUALLY_IN_FLIGHT = 30;

    private static final double MOST = 0.5;

    private final Scene scene;
    private final Duration plain;

    /**
     * @param scene for the rows; stays usable
     * @param plain how long to measure without the fault, before and after it
     */
    public MatrixRunner(Scene scene, Duration plain) {
        this.scene = scene;
        this.plain = plain;
    }

    /** About how long a row takes, on an idle machine and where the fault begins at once. */
    public Duration estimate(Row row) {
        return plain.multipliedBy(2).plus(SETTLE).plus(row.holds()).plus(RECOVERS);
    }

    /**
     * Runs one row. Whatever happens, the fault is mended when this returns, in bounded time.
     *
     * @throws IOException when something cannot be asked
     * @throws InterruptedException when interrupted
     */
    public RowResult run(Row row) throws IOException, InterruptedException {
        Reading start = Reading.of(scene.canary());
        Thread.sleep(plain.toMillis());
        Reading before = Reading.of(scene.canary());
        Map<Phase, Double> plainBefore = before.means(start, row.leaders());
        Map<Phase, Double> during;
        Map<String, Double> told = new LinkedHashMap<>();
        double recovery;
        Map<String, Double> alerts;
        List<String> inhibited;
        List<String> faults = new ArrayList<>();
        try (AlertWatch watch = new AlertWatch(scene.monitoring())) {
            Fault.Broken broken = row.injection().begin(scene);
            try {
                Thread.sleep(SETTLE.toMillis());
                Reading began = Reading.of(scene.canary());
                List<Scrape> brokersBegan = witnesses(row);
                Thread.sleep(row.holds().toMillis());
                during = Reading.of(scene.canary()).means(began, row.leaders());
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
                broken.close();
            }
            recovery = recovery();
            if (recovery < 0) {
                faults.add("not recovered " + RECOVERY_BOUND.toSeconds() + " s after the mending");
            }
            alerts = watch.fired();
            inhibited = watch.inhibited();
        }
        drain(before);
        Reading mended = Reading.of(scene.canary());
        Thread.sleep(plain.toMillis());
        Reading end = settled();
        Verdict verdict = new Verdict(row, plainBefore, during, end.means(mended, row.leaders()));
        if (verdict.tooNoisy().isEmpty()) {
            faults.addAll(verdict.faults());
        }
        for (String expected : row.alerts()) {
            if (scene.monitoring().isPresent()
                    && alerts.keySet().stream().noneMatch(a -> a.startsWith(expected + " "))) {
                faults.add(expected + " did not fire");
            }
        }
        return judged(row, start, end, verdict, told, alerts, inhibited, recovery, faults);
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
            Map<String, Double> told,
            Map<String, Double> alerts,
            List<String> inhibited,
            double recovery,
            List<String> faults) {
        Map<String, Long> outcomes = end.outcomes(start);
        long falseDeliveries = end.falseDeliveries();
        if (verdict.tooNoisy().isEmpty()) {
            effect(row, outcomes, verdict).ifPresent(faults::add);
        }
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
        if (end.threads() > start.threads() + MORE_THREADS) {
            faults.add("threads of the canary: " + start.threads() + " to " + end.threads());
        }
        if (end.logLines() - start.logLines() > MOST_LOG_LINES) {
            faults.add((end.logLines() - start.logLines()) + " lines of log");
        }
        return new RowResult(
                row.name(),
                row.about(),
                faults,
                verdict.tooNoisy(),
                end.grown(start, "kafka_canary_probes_scheduled_total"),
                outcomes,
                end.grown(start, "kafka_canary_probes_in_flight"),
                falseDeliveries,
                end.grown(start, "kafka_canary_duplicates_total"),
                end.grown(start, "kafka_canary_stalled_probes_total"),
                clockSteps,
                labelled(row.moved()),
                labelled(verdict.added()),
                told,
                alerts,
                inhibited,
                scene.monitoring().isPresent(),
                recovery,
                start.threads(),
                end.threads(),
                start.heapMebibytes(),
                end.heapMebibytes(),
                end.logLines() - start.logLines());
    }

    private static Optional<String> effect(Row row, Map<String, Long> outcomes, Verdict verdict) {
        long gone = outcomes.get("lost") + outcomes.get("send_failed");
        return switch (row.effect()) {
            case MOVES_PHASES -> Optional.empty();
            case LOSES_NOTHING ->
                    gone == 0 ? Optional.empty() : Optional.of(gone + " probes lost or not sent");
            case MOVES_NO_PHASE ->
                    gone == 0 && verdict.moved() < Verdict.MOVES_MS
                            ? Optional.empty()
                            : Optional.of(
                                    String.format(
                                            Locale.ROOT,
                                            "%d probes lost or not sent, phases moved by %.0f ms",
                                            gone,
                                            verdict.moved()));
            case IS_FELT ->
                    gone + outcomes.get("late") > 0 || verdict.felt()
                            ? Optional.empty()
                            : Optional.of("no probe felt it");
        };
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

    /** Seconds until the canary is ready and most probes of a second are good; -1 when never. */
    private double recovery() throws IOException, InterruptedException {
        long mended = System.nanoTime();
        while (System.nanoTime() - mended < RECOVERY_BOUND.toNanos()) {
            Reading earlier = Reading.of(scene.canary());
            Thread.sleep(LOOK.toMillis());
            // NaN where no probe was judged: not recovered.
            if (Reading.of(scene.canary()).goodShare(earlier) > MOST && ready()) {
                return (System.nanoTime() - mended) / 1e9;
            }
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

    /** Waits until what the fault held up has ended: as few under way as before it. */
    private void drain(Reading before) throws InterruptedException {
        double usual =
                Math.max(USUALLY_IN_FLIGHT, before.scrape().sum("kafka_canary_probes_in_flight"));
        Await.that("the probes of the fault have ended", DRAIN_BOUND)
                .every(Duration.ofMillis(200))
                .needing(scene.canary().process())
                .until(
                        () -> {
                            double now =
                                    scene.canary().scrape().sum("kafka_canary_probes_in_flight");
                            return now <= usual
                                    ? Optional.empty()
                                    : Optional.of(now + " probes in flight");
                        });
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
