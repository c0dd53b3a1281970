/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.series;

import io.phasewise.common.file.JarResource;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The series that a program declares: a file {@code series.csv} in its jar, a row each of {@code
 * name; type; labels; help; what to do when it is high}. Type is counter, gauge, flag (a gauge of 0
 * or 1), histogram or native histogram. The last cell may hold semicolons, or nothing.
 */
public final class SeriesTable {
    static final int COLUMNS = 5;

    private final Map<String, DeclaredSeries> byName = new LinkedHashMap<>();

    /**
     * @param beside class of the package that has the file
     * @throws IllegalArgumentException when a row is none of a series, or a name is there twice; with
     *     the name
     * @throws java.io.UncheckedIOException when the file is not there: the jar is damaged
     */
    public SeriesTable(Class<?> beside) {
        for (String[] cells : JarResource.rows(beside, "series.csv", COLUMNS)) {
            DeclaredSeries series = new DeclaredSeries(cells);
            if (byName.put(series.name(), series) != null) {
                throw new IllegalArgumentException(series.name() + ": there twice");
            }
        }
    }

    /**
     * One of them.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public DeclaredSeries get(String name) {
        DeclaredSeries series = byName.get(name);
        if (series == null) {
            throw new IllegalArgumentException(name + " is not declared: it needs a row in series.csv");
        }
        return series;
    }

    /** All, in the order of the file. */
    public Collection<DeclaredSeries> all() {
        return Collections.unmodifiableCollection(byName.values());
    }
}
