/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import io.phasewise.report.document.Block.Column;
import io.phasewise.report.document.Block.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Makes a table: first its columns from left to right, then its rows from the top. */
public final class TableBuilder {

    private final String caption;
    private final List<Column> columns = new ArrayList<>();
    private final List<List<Value>> rows = new ArrayList<>();

    public TableBuilder(String caption) {
        this.caption = caption;
    }

    /** Columns of words. */
    public TableBuilder words(String... names) {
        Stream.of(names).map(name -> new Column(name, false)).forEach(columns::add);
        return this;
    }

    /** Columns of numbers. */
    public TableBuilder numbers(String... names) {
        Stream.of(names).map(name -> new Column(name, true)).forEach(columns::add);
        return this;
    }

    /**
     * A row whose cells have no intervals.
     *
     * @throws IllegalArgumentException where it has not one cell for each column
     */
    public void row(String... cells) {
        row(Stream.of(cells).map(Value::of).toList());
    }

    /**
     * A row.
     *
     * @throws IllegalArgumentException where it has not one cell for each column
     */
    public void row(List<Value> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(
                    "%s: %d cells for %d columns".formatted(caption, cells.size(), columns.size()));
        }
        rows.add(cells);
    }

    public Table table() {
        return new Table(caption, List.copyOf(columns), List.copyOf(rows));
    }
}
