/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.common.file.JarResource;
import io.phasewise.experiments.declared.Declaration;
import java.util.List;
import java.util.stream.Stream;

/** All rows there are, each declared in a file. */
public final class Matrix {
    private static final String DIRECTORY = "/faults/";

    /** Names of rows, in the order in which they run. */
    static final String ORDER = "order.yml";

    private Matrix() {}

    /** All rows, in order. */
    public static List<Row> rows() {
        return Stream.of(read(ORDER, String[].class))
                .map(name -> read(name + ".yml", Row.class).named(name))
                .toList();
    }

    private static <T> T read(String file, Class<T> type) {
        return Declaration.read(file, JarResource.text(Matrix.class, DIRECTORY + file), type);
    }
}
