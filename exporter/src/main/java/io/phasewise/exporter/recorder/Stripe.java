/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What some of the threads record, and how a reader takes it from them without their noticing: two
 * buffers, of which writers fill one while the reader empties the other. Choosing a stripe for a
 * thread, and adding stripes up, is left to {@link StripedRecorder}.
 *
 * <p>A writer announces itself by adding one to the count of entries and takes its leave by adding
 * one to the count of exits of the phase that it met; the sign of the count of entries is the
 * phase, and the phase is the buffer. A reader changes the phase and knows from the old count of
 * entries how many exits to expect: once there are as many, nobody writes to the old buffer any
 * more. This is the writer-reader phaser of Gil Tene (2014), as in HdrHistogram. Writers are
 * wait-free; only the reader ever waits, and it does not insist.
 */
public final class Stripe {

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs in two cache lines, the unit in which processors fetch them. */
    private static final int LONGS_APART = 16;

    private static final int ENTRIES = LONGS_APART;
    private static final int EVEN_EXITS = LONGS_APART + 1;
    private static final int ODD_EXITS = LONGS_APART + 2;

    /** Spins before giving up on a writer that was descheduled: some ten microseconds. */
    private static final int PATIENCE = 1_000;

    private final BucketScheme scheme;
    private final long[] epochs = new long[3 * LONGS_APART];
    private final Cells even;
    private final Cells odd;

    /** Reader's own: the buffer of the phase before, while writers may still be in it. */
    private Cells leaving;

    private long expectedExits;

    Stripe(BucketScheme scheme, int histograms, int counters) {
        this.scheme = scheme;
        this.even = new Cells(scheme.cells(), histograms, counters);
        this.odd = new Cells(scheme.cells(), histograms, counters);
    }

    /**
     * Begins a group. Wait-free.
     *
     * @return the ticket for its records and for {@link #exit}, which must follow
     */
    public long enter() {
        return (long) LONGS.getAndAdd(epochs, ENTRIES, 1L);
    }

    /** Ends the group. */
    public void exit(long ticket) {
        long ignored = (long) LONGS.getAndAdd(epochs, ticket < 0 ? ODD_EXITS : EVEN_EXITS, 1L);
    }

    /**
     * Records a duration.
     *
     * @param histogram its number, from 0
     * @param nanos below zero counts as zero
     */
    public void record(long ticket, int histogram, long nanos) {
        Cells buffer = ticket < 0 ? odd : even;
        int cell = scheme.cell(nanos);
        long ignored = (long) LONGS.getAndAdd(buffer.cells, histogram * buffer.each + cell, 1L);
        if (nanos > 0) {
            ignored = (long) LONGS.getAndAdd(buffer.sums, histogram, nanos);
        }
        long block = 1L << (cell >>> buffer.blockShift);
        if ((buffer.touched[histogram] & block) == 0) {
            ignored = (long) LONGS.getAndBitwiseOr(buffer.touched, histogram, block);
        }
    }

    /**
     * Adds one to a counter.
     *
     * @param counter its number, from 0
     */
    public void count(long ticket, int counter) {
        Cells buffer = ticket < 0 ? odd : even;
        long ignored = (long) LONGS.getAndAdd(buffer.counters, counter, 1L);
    }

    /**
     * Moves what was recorded since the last time to the totals. When a writer stays in the middle
     * of a group, because its thread was descheduled there, nothing is moved and the next call
     * tries again. For one reader at a time.
     *
     * @return whether it was moved
     */
    boolean drainTo(Cells totals) {
        if (leaving == null) {
            boolean nextIsEven = (long) LONGS.getVolatile(epochs, ENTRIES) < 0;
            long first = nextIsEven ? 0 : Long.MIN_VALUE;
            LONGS.setVolatile(epochs, nextIsEven ? EVEN_EXITS : ODD_EXITS, first);
            leaving = nextIsEven ? odd : even;
            expectedExits = (long) LONGS.getAndSet(epochs, ENTRIES, first);
        }
        int exits = leaving == odd ? ODD_EXITS : EVEN_EXITS;
        for (int i = 0; (long) LONGS.getVolatile(epochs, exits) != expectedExits; i++) {
            if (i == PATIENCE) {
                return false;
            }
            Thread.onSpinWait();
        }
        leaving.moveTo(totals);
        leaving = null;
        return true;
    }
}
