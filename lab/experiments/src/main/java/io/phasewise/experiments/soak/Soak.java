/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.matrix.Row;
import io.phasewise.experiments.matrix.Scene;
import io.phasewise.experiments.measure.Scrape;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.run.BackgroundLoad;
import io.phasewise.lab.kafka.KafkaBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Hours of load with a fault or a rolling restart now and then, to see what grows in the canary and
 * in the brokers that should not; what the samples say is left to {@link Drift}.
 */
public final class Soak {
    /** A fault in one of so many samples: most samples are of a cluster at rest. */
    private static final int SAMPLES_BETWEEN_FAULTS = 4;

    private final Scene scene;
    private final List<Row> faults;
    private final Duration interval;
    private final Consumer<String> progress;
    private final BooleanSupplier interrupted;

    /**
     * @param scene stays usable
     * @param faults to be made in turn; one at least
     * @param interval from one sample to the next
     * @param progress takes a line now and then
     * @param interrupted whether failures are what an interruption looks like, and end it
     */
    public Soak(
            Scene scene,
            List<Row> faults,
            Duration interval,
            Consumer<String> progress,
            BooleanSupplier interrupted) {
        this.interrupted = interrupted;
        this.scene = scene;
        this.faults = List.copyOf(faults);
        this.interval = interval;
        this.progress = progress;
    }

    /**
     * Runs it. A fault that cannot be made, or from which the canary does not recover, is a trouble
     * and does not end it; the end of the canary does.
     *
     * @param length of all of it; the last sample ends after that
     * @param recordsPerSecond of the load
     * @param samples takes each as it is made, so that a run which is broken off loses none
     * @param troubles takes likewise what went otherwise than it should have
     * @throws IOException when something cannot be asked
     * @throws InterruptedException when interrupted; nothing stays broken
     */
    public void run(
            Duration length,
            double recordsPerSecond,
            Consumer<Sample> samples,
            Consumer<String> troubles)
            throws IOException, InterruptedException {
        Load load = new Load(4, recordsPerSecond, 1_024, 12, 3, Map.of("linger.ms", "5"));
        try (BackgroundLoad background = BackgroundLoad.start(load, 0, scene.client())) {
            long start = System.nanoTime();
            Scrape earlier = scene.canary().scrape();
            for (int i = 1; System.nanoTime() - start < length.toNanos(); i++) {
                String broken = "";
                long begun = System.nanoTime();
                if (i % SAMPLES_BETWEEN_FAULTS == 0) {
                    Row row = faults.get(i / SAMPLES_BETWEEN_FAULTS % faults.size());
                    broken = row.name();
                    breakAndMend(i, row, troubles);
                }
                long left = interval.toNanos() - (System.nanoTime() - begun);
                Thread.sleep(Math.max(0, left / 1_000_000));
                Scrape now = scene.canary().scrape();
                Sample sample =
                        Sample.of(
                                scene.canary(),
                                brokers(),
                                earlier,
                                now,
                                (System.nanoTime() - start) / 60e9,
                                broken);
                earlier = now;
                samples.accept(sample);
                progress.accept(sample.toString());
            }
        }
    }

    /** None while one of them does not answer. */
    private List<BrokerSample> brokers() throws InterruptedException {
        try {
            List<BrokerSample> brokers = new ArrayList<>();
            List<Scrape> exporters = scene.exporters();
            for (KafkaBroker broker : scene.cluster().brokers()) {
                brokers.add(
                        BrokerSample.of(broker.id(), broker.pid(), exporters.get(broker.id() - 1)));
            }
            return brokers;
        } catch (IOException | IllegalStateException notNow) {
            progress.accept("the brokers' exporters do not answer: " + reason(notNow));
            return List.of();
        }
    }

    /** What a failure says of itself, without the excerpts of logs that follow its first line. */
    public static String reason(Exception failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private void breakAndMend(int sample, Row row, Consumer<String> troubles)
            throws IOException, InterruptedException {
        try {
            Fault.Broken broken = row.fault().begin(scene);
            try {
                Thread.sleep(row.holds().brief().toMillis());
            } finally {
                broken.close();
            }
            scene.canary().awaitReady();
        } catch (IOException | RuntimeException e) {
            if (interrupted.getAsBoolean() || !scene.canary().process().isAlive()) {
                throw e;
            }
            String trouble = "sample " + sample + ", " + row.name() + ": " + reason(e);
            troubles.accept(trouble);
            progress.accept(trouble);
        }
    }
}
