/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.recorder;

import java.util.Arrays;

/** Cells, sums and counters: of one phase of a {@link Stripe}, or of all in the end. */
final class Cells {

    /**
     * Of all histograms, one after the other: an array for each would have a header for each, one
     * more line of memory that is seldom in the processor's cache.
     */
    final long[] cells;

    /** Cells of one histogram. */
    final int each;

    /** By histogram, a bit for each block of cells that may hold something. */
    final long[] touched;

    /** Power of two of the least block of which there are no more than a long has bits. */
    final int blockShift;

    final long[] sums;
    final long[] counters;

    Cells(int each, int histograms, int counters) {
        this.cells = new long[histograms * each];
        this.each = each;
        this.touched = new long[histograms];
        this.blockShift = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(each - 1) - 6);
        this.sums = new long[histograms];
        this.counters = new long[counters];
    }

    /** Adds all to others of the same size, and is empty then. */
    void moveTo(Cells others) {
        for (int histogram = 0; histogram < sums.length; histogram++) {
            int first = histogram * each;
            long blocks = touched[histogram];
            others.touched[histogram] |= blocks;
            while (blocks != 0) {
                int block = Long.numberOfTrailingZeros(blocks) << blockShift;
                int from = first + block;
                int to = first + Math.min(block + (1 << blockShift), each);
                for (int cell = from; cell < to; cell++) {
                    others.cells[cell] += cells[cell];
                }
                Arrays.fill(cells, from, to, 0);
                blocks &= blocks - 1;
            }
            touched[histogram] = 0;
            others.sums[histogram] += sums[histogram];
            sums[histogram] = 0;
        }
        for (int counter = 0; counter < counters.length; counter++) {
            others.counters[counter] += counters[counter];
            counters[counter] = 0;
        }
    }
}
