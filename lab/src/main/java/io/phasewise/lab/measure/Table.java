/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Rows of text that print as a Markdown table with aligned columns. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Begins a table with its headings.
     *
     * @param headings a list among them counts as several headings
     */
    public Table(Object... headings) {
        row(headings);
    }

    /**
     * Adds a row.
     *
     * @param cells one for each heading; a list among them counts as several cells
     */
    public void row(Object... cells) {
        rows.add(Arrays.stream(cells)
                .flatMap(cell -> cell instanceof Collection<?> c ? c.stream() : Stream.of(cell))
                .map(String::valueOf)
                .toList());
    }

    /** The table, with a line break at the end. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            line(text, rows.get(i), ' ');
            if (i == 0) {
                line(text, rows.get(0).stream().map(unused -> "").toList(), '-');
            }
        }
        return text.toString();
    }

    private void line(StringBuilder text, List<String> cells, char fill) {
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            text.append("| ").append(cell);
            text.append(String.valueOf(fill).repeat(width(column) - cell.length()))
                    .append(' ');
        }
        text.append("|\n");
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
