/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.matrix.Row;
import io.phasewise.experiments.matrix.Rows;
import io.phasewise.experiments.matrix.Scene;
import io.phasewise.experiments.measure.Scrape;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.run.BackgroundLoad;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hours of load with a fault or a rolling restart now and then, to see what grows in the canary
 * that should not; what the samples say is left to {@link Drift}.
 */
public final class Soak {
    /** A fault in one of so many samples: most samples are of a cluster at rest. */
    private static final int SAMPLES_BETWEEN_FAULTS = 4;

    private final Scene scene;
    private final Duration interval;
    private final Consumer<String> progress;

    /**
     * @param scene stays usable
     * @param interval from one sample to the next
     * @param progress takes a line now and then
     */
    public Soak(Scene scene, Duration interval, Consumer<String> progress) {
        this.scene = scene;
        this.interval = interval;
        this.progress = progress;
    }

    /**
     * Runs it.
     *
     * @param length of all of it; the last sample ends after that
     * @param recordsPerSecond of the load
     * @throws IOException when something cannot be asked
     * @throws InterruptedException when interrupted; nothing stays broken
     */
    public List<Sample> run(Duration length, double recordsPerSecond)
            throws IOException, InterruptedException {
        List<Row> faults =
                Rows.all(false).stream().filter(row -> row.needs() == Row.Needs.NOTHING).toList();
        List<Sample> samples = new ArrayList<>();
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
                    breakAndMend(row);
                }
                long left = interval.toNanos() - (System.nanoTime() - begun);
                Thread.sleep(Math.max(0, left / 1_000_000));
                Scrape now = scene.canary().scrape();
                Sample sample =
                        Sample.of(
                                scene.canary(),
                                earlier,
                                now,
                                (System.nanoTime() - start) / 60e9,
                                broken);
                earlier = now;
                samples.add(sample);
                progress.accept(sample.toString());
            }
        }
        return samples;
    }

    private void breakAndMend(Row row) throws IOException, InterruptedException {
        Fault.Broken broken = row.injection().begin(scene);
        try {
            Thread.sleep(row.holds().toMillis());
        } finally {
            broken.close();
        }
        scene.canary().awaitReady();
    }
}
