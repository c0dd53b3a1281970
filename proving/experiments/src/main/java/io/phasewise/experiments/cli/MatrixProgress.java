/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.matrix.page.MatrixRuns;
import io.phasewise.experiments.matrix.result.MatrixDocument;
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
 * What a run of the matrix has found so far: in its own file after every row, and in the page of all
 * runs beside it.
 */
final class MatrixProgress {
    private final OutOption out;
    private MatrixDocument run;

    /**
     * @param out is there
     * @param run with no result yet
     */
    MatrixProgress(OutOption out, MatrixDocument run) {
        this.out = out;
        this.run = run;
    }

    /** Notes what took part in it, too. */
    void setUp(Map<String, String> more) {
        run = run.with(more);
    }

    /** Keeps a result at once: what comes after it may fail. */
    void add(RowResult result) {
        run = run.with(result);
        write();
    }

    /**
     * Writes this run's file, and the page of all runs that are beside it.
     *
     * @throws UncheckedIOException when they cannot be, or when a file beside it is no run
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

    /** This run alone. */
    MatrixDocument run() {
        return run;
    }
}
