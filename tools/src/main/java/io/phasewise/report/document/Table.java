/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table: its columns are named first, from left to right, then its rows are added from the top.
 * The first cell of a row says what the row is about.
 */
public final class Table implements Block {

    private final String caption;
    private final List<Column> columns = new ArrayList<>();
    private final List<List<Value>> rows = new ArrayList<>();

    /**
     * A column.
     *
     * @param numbers whether it holds numbers, which are aligned to the right, and whose intervals
     *     stand apart from them
     */
    record Column(String name, boolean numbers) {}

    public Table(String caption) {
        this.caption = caption;
    }

    /** Adds columns of words. */
    public Table words(String... names) {
        Stream.of(names).map(name -> new Column(name, false)).forEach(columns::add);
        return this;
    }

    /** Adds columns of numbers. */
    public Table numbers(String... names) {
        Stream.of(names).map(name -> new Column(name, true)).forEach(columns::add);
        return this;
    }

    /**
     * Adds a row whose cells have no intervals.
     *
     * @throws IllegalArgumentException where it does not have one cell for each column
     */
    public void row(String... cells) {
        row(Stream.of(cells).map(Value::of).toList());
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException where it does not have one cell for each column
     */
    public void row(List<Value> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(
                    "%s: %d cells for %d columns".formatted(caption, cells.size(), columns.size()));
        }
        rows.add(cells);
    }

    String caption() {
        return caption;
    }

    List<Column> columns() {
        return columns;
    }

    List<List<Value>> rows() {
        return rows;
    }
}
