/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.matrix.MatrixDocument;
import io.phasewise.experiments.matrix.RowResult;
import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.measure.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/** What a run of the matrix has found so far: in its files after every row, and here. */
final class MatrixProgress {
    private final OutOption out;
    private final Optional<MatrixDocument> earlier;
    private MatrixDocument run;

    /**
     * @param out is there
     * @param earlier whose rows the run's are put in place of
     * @param run with no result yet
     */
    MatrixProgress(OutOption out, Optional<MatrixDocument> earlier, MatrixDocument run) {
        this.out = out;
        this.earlier = earlier;
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
     * Writes both files, over those of an earlier run.
     *
     * @throws UncheckedIOException when they cannot be
     */
    void write() {
        try {
            run = run.with(Map.of("load average at the end", Machine.loadAverage()));
            FileTree.replace(out.resolve("fault-matrix.json"), shown().json());
            FileTree.replace(out.resolve("fault-matrix.md"), shown().markdown());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** This run alone. */
    MatrixDocument run() {
        return run;
    }

    /** With the earlier run's rows, where there is one to renew. */
    MatrixDocument shown() {
        return earlier.isPresent() ? earlier.get().renewedBy(run) : run;
    }
}
