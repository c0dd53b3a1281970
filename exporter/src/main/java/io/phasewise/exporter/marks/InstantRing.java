/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;

/**
 * The last rows of instants that one thread of the broker wrote, for one thread that takes them out
 * now and then. The writer neither locks nor waits nor allocates; what it overwrites before it is
 * taken out is counted.
 *
 * <p>A row may be overwritten while the reader copies it. So the writer says how many rows it has
 * begun before it writes one, and how many it has ended afterwards; the reader looks at the first
 * number after it has copied, and drops the rows that may have been written meanwhile.
 */
final class InstantRing {

    private final int rows;
    private final int columns;
    private final AtomicLongArray values;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();

    /** The reader's: how many rows it has taken out or given up. */
    private long taken;

    /**
     * @param rows that are kept
     * @param columns instants of a row
     */
    InstantRing(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        this.values = new AtomicLongArray(rows * columns);
    }

    /** The writer begins with a row: {@link #set} and {@link #end} follow. */
    void begin() {
        begun.set(begun.get() + 1);
    }

    /** Sets an instant of the row that was begun. */
    void set(int column, long value) {
        values.lazySet(slot(begun.get() - 1) + column, value);
    }

    /** The row that was begun is complete. */
    void end() {
        ended.set(begun.get());
    }

    /**
     * Takes out the rows since the last time, oldest first.
     *
     * @param reader is given each, which it may keep
     * @return how many were overwritten before
     */
    long drain(Consumer<long[]> reader) {
        long end = ended.get();
        long first = Math.max(taken, end - rows);
        long[][] copies = new long[(int) (end - first)][columns];
        for (long row = first; row < end; row++) {
            for (int column = 0; column < columns; column++) {
                copies[(int) (row - first)][column] = values.get(slot(row) + column);
            }
        }
        long whole = Math.max(first, begun.get() - rows);
        long missed = Math.min(whole, end) - taken;
        for (long row = whole; row < end; row++) {
            reader.accept(copies[(int) (row - first)]);
        }
        taken = end;
        return missed;
    }

    private int slot(long row) {
        return (int) (row % rows) * columns;
    }
}
