/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.matrix.page.MatrixRuns;
import io.phasewise.experiments.matrix.result.MatrixRun;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.measure.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writes what a run of the matrix has found so far, after every row: to the run's own file, and to
 * the page of all runs beside it.
 */
final class MatrixProgress {
    private final OutOption out;
    private MatrixRun run;

    /**
     * @param out must exist
     * @param run with no result yet
     */
    MatrixProgress(OutOption out, MatrixRun run) {
        this.out = out;
        this.run = run;
    }

    /** Adds versions of what takes part. */
    void setUp(Map<String, String> more) {
        run = run.with(more);
    }

    /** Keeps a result at once, as a later row may fail. */
    void add(RowResult result) {
        run = run.with(result);
        write();
    }

    /**
     * Writes the run's file, and the page of all runs.
     *
     * @throws UncheckedIOException when one cannot be written, or when a file beside it is no run
     */
    void write() {
        try {
            run = run.with(Map.of("load average at the end", Machine.loadAverage()));
            Path runs = Files.createDirectories(out.resolve("runs"));
            FileTree.replace(runs.resolve(MatrixRuns.fileName(run)), run.json());
            FileTree.replace(
                    out.resolve("fault-matrix.md"), MatrixRuns.read(runs).markdown(Row.texts()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The run so far. */
    MatrixRun run() {
        return run;
    }
}
