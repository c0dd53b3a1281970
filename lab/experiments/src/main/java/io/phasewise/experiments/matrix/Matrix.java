/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.declared.Declaration;
import java.util.List;

/** All rows there are, each declared in a file. */
public final class Matrix {
    private Matrix() {}

    /** All rows, in the order in which they run. */
    public static List<Row> rows() {
        return Declaration.all("/faults/", Row::read);
    }
}
