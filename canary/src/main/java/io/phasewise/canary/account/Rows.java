/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import java.util.Arrays;

/**
 * Rows of numbers in the order of their first column, the newest of them; older ones give way. For one thread at a
 * time.
 */
final class Rows {
    private static final int AT_FIRST = 16;

    private final int columns;
    private final int most;

    /** Row by row; a ring. */
    private long[] cells;

    private int first;
    private int size;

    /**
     * @param columns of each row, at least 1
     * @param most rows that are kept; room is taken as it is needed
     */
    Rows(int columns, int most) {
        this.columns = columns;
        this.most = most;
        this.cells = new long[Math.min(AT_FIRST, most) * columns];
    }

    int size() {
        return size;
    }

    long at(int row, int column) {
        return cells[slot(row) + column];
    }

    private int slot(int row) {
        return (first + row) % (cells.length / columns) * columns;
    }

    /** Adds a row, in its place. */
    void add(long... row) {
        if (size == most) {
            dropFirst();
        } else if (size * columns == cells.length) {
            grow();
        }
        int place = size++;
        while (place > 0 && at(place - 1, 0) - row[0] > 0) {
            System.arraycopy(cells, slot(place - 1), cells, slot(place), columns);
            place--;
        }
        System.arraycopy(row, 0, cells, slot(place), columns);
    }

    private void grow() {
        long[] larger = new long[Math.min(2 * size, most) * columns];
        for (int row = 0; row < size; row++) {
            System.arraycopy(cells, slot(row), larger, row * columns, columns);
        }
        cells = larger;
        first = 0;
    }

    /** Forgets the first row; there must be one. */
    void dropFirst() {
        first = (first + 1) % (cells.length / columns);
        size--;
    }

    /** Forgets rows whose first column is less. */
    void dropBefore(long key) {
        while (size > 0 && at(0, 0) - key < 0) {
            dropFirst();
        }
    }

    /** Forgets rows whose first column is as large or larger. */
    void dropFrom(long key) {
        size = firstAt(key);
    }

    /** The first row whose first column is not less; {@link #size} where all are. */
    int firstAt(long key) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle, 0) - key < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < size; row++) {
            text.append(Arrays.toString(Arrays.copyOfRange(cells, slot(row), slot(row) + columns)));
        }
        return text.toString();
    }
}
