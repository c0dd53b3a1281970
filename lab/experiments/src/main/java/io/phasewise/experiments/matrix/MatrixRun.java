/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.lab.process.MissingException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Runs rows scene by scene and hands each result on as soon as it is there. A scene that cannot be
 * started costs its own rows and a row that breaks off those after it on the same scene; the others
 * go on.
 */
public final class MatrixRun {
    /** A scene with what runs rows on it. */
    public interface Stage extends AutoCloseable {
        /** As {@link MatrixRunner#run}. */
        RowResult run(Row row) throws IOException, InterruptedException;

        /** Whether the canary's process is. */
        boolean canaryAlive();

        @Override
        void close();
    }

    /** Starts scenes. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Starts one that is ready for rows.
         *
         * @throws IOException when it cannot be started; nothing of it is left
         * @throws InterruptedException when interrupted; nothing of it is left
         */
        Stage open(Layout layout) throws IOException, InterruptedException;
    }

    /** Takes results. */
    @FunctionalInterface
    public interface Results {
        /**
         * Takes the next.
         *
         * @throws IOException when it cannot be kept, which ends the run
         */
        void add(RowResult result) throws IOException;
    }

    private final Opener opener;
    private final BooleanSupplier interrupted;
    private final Results results;

    /**
     * @param opener of scenes
     * @param interrupted whether failures are what an interruption looks like, and end it
     * @param results takes each as it is made
     */
    public MatrixRun(Opener opener, BooleanSupplier interrupted, Results results) {
        this.opener = opener;
        this.interrupted = interrupted;
        this.results = results;
    }

    /**
     * Runs rows; of each there is one result at the end.
     *
     * @throws MissingException when something that scenes need is not there
     * @throws IOException when a result cannot be kept, or when interrupted
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public void run(List<Row> rows) throws IOException, InterruptedException {
        Map<Layout, List<Row>> scenes =
                rows.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Row::layout, LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<Layout, List<Row>> scene : scenes.entrySet()) {
            run(scene.getKey(), scene.getValue());
        }
    }

    private void run(Layout layout, List<Row> rows) throws IOException, InterruptedException {
        Stage stage;
        try {
            stage = opener.open(layout);
        } catch (MissingException notThere) {
            // No other scene has it, either.
            throw notThere;
        } catch (IOException | RuntimeException e) {
            if (interrupted.getAsBoolean()) {
                throw e;
            }
            for (Row row : rows) {
                results.add(RowResult.notStarted(row, e));
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
            if (broken.isEmpty()) {
                try {
                    result = stage.run(row);
                } catch (IOException | RuntimeException e) {
                    if (interrupted.getAsBoolean()) {
                        throw e;
                    }
                    result = RowResult.brokenOff(row, e, stage.canaryAlive());
                    // What it left of brokers and canary is no fair beginning for the next.
                    broken = "not run, as " + row.name() + " broke off on the same brokers";
                }
            } else {
                result = RowResult.notJudged(row, broken);
            }
            results.add(result);
        }
    }
}
