/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.run;

import io.phasewise.common.cli.MissingException;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.experiments.plan.Estimate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs rows scene by scene and hands on each result at once. When a scene cannot be started, its
 * rows are bad. When a row breaks off, the rows after it on the same scene are not run. All other
 * rows are.
 */
public final class MatrixRunner {
    /** A scene, and what runs rows on it. */
    public interface Stage extends AutoCloseable {
        /** As {@link RowRunner#run}. */
        RowResult run(Row row) throws IOException, InterruptedException;

        /** About how long a row takes on an idle machine, if its fault begins at once. */
        Duration estimate(Row row);

        /** Whether the canary's process still runs. */
        boolean canaryAlive();

        @Override
        void close() throws InterruptedException;
    }

    /** Starts scenes. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Starts a scene; it is ready for rows on return.
         *
         * @throws IOException when it cannot be started; nothing of it is left
         * @throws InterruptedException when interrupted; nothing of it is left
         */
        Stage open(ClusterSpec spec) throws IOException, InterruptedException;
    }

    /** Says what keeps this machine from running a row. */
    @FunctionalInterface
    public interface Obstacles {
        /** Why it cannot, for people; empty where it can. */
        Optional<String> of(Row row) throws InterruptedException;
    }

    private final Obstacles obstacles;
    private final Opener opener;
    private final BooleanSupplier interrupted;
    private final Consumer<String> progress;
    private final Consumer<RowResult> results;
    private int begun;

    /**
     * @param obstacles of rows; a row that has one is skipped
     * @param opener of scenes
     * @param interrupted whether the user has interrupted the run; then a failure ends it
     * @param progress takes a line as each row begins
     * @param results takes each result at once; when it throws, the run ends
     */
    public MatrixRunner(
            Obstacles obstacles,
            Opener opener,
            BooleanSupplier interrupted,
            Consumer<String> progress,
            Consumer<RowResult> results) {
        this.obstacles = obstacles;
        this.opener = opener;
        this.interrupted = interrupted;
        this.progress = progress;
        this.results = results;
    }

    /**
     * Runs rows; each has one result at the end.
     *
     * @throws MissingException when something that scenes need is not there
     * @throws IOException when interrupted
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public void run(List<Row> rows) throws IOException, InterruptedException {
        Map<ClusterSpec, List<Row>> scenes = new LinkedHashMap<>();
        for (Row row : rows) {
            Optional<String> obstacle = obstacles.of(row);
            if (obstacle.isPresent()) {
                results.accept(RowResult.skipped(row, obstacle.get()));
            } else {
                scenes.computeIfAbsent(row.layout(), unused -> new ArrayList<>())
                        .add(row);
            }
        }
        for (Map.Entry<ClusterSpec, List<Row>> scene : scenes.entrySet()) {
            run(scene.getKey(), scene.getValue());
        }
    }

    private void run(ClusterSpec spec, List<Row> rows) throws IOException, InterruptedException {
        Stage stage;
        try {
            stage = opener.open(spec);
        } catch (MissingException notThere) {
            // It is missing for every other scene, too.
            throw notThere;
        } catch (IOException | RuntimeException e) {
            if (interrupted.getAsBoolean()) {
                throw e;
            }
            for (Row row : rows) {
                String why = "not run, what it needs did not start: " + e;
                results.accept(RowResult.bad(row, List.of(why)));
            }
            return;
        }
        try (stage) {
            runOn(stage, rows);
        }
    }

    private void runOn(Stage stage, List<Row> rows) throws IOException, InterruptedException {
        String broken = "";
        for (Row row : rows) {
            RowResult result;
            if (!broken.isEmpty()) {
                result = RowResult.notJudged(row, broken);
            } else {
                try {
                    begun++;
                    String takes = Estimate.text(stage.estimate(row));
                    String line = "[%d] %s (%s): %s";
                    progress.accept(line.formatted(begun, row.name(), takes, row.about()));
                    result = stage.run(row);
                } catch (IOException | RuntimeException e) {
                    if (interrupted.getAsBoolean()) {
                        throw e;
                    }
                    List<String> faults = new ArrayList<>(List.of("broken off: " + e));
                    if (!stage.canaryAlive()) {
                        faults.add(RowResult.CANARY_ENDED);
                    }
                    result = RowResult.bad(row, faults);
                    // It leaves brokers and canary in an unknown state for the next row.
                    broken = "not run, as " + row.name() + " broke off on the same brokers";
                }
            }
            results.accept(result);
        }
    }
}
