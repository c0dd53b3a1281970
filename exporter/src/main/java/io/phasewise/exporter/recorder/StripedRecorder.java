/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.recorder;

import java.util.function.Function;

/**
 * Histograms and counters for a hot path. Records come in groups, all that is known of one event:
 *
 * <pre>{@code
 * Stripe stripe = recorder.stripe();
 * long ticket = stripe.enter();
 * try {
 *     stripe.record(ticket, histogram, nanos);
 * } finally {
 *     stripe.exit(ticket);
 * }
 * }</pre>
 *
 * <p>For writers: wait-free (each step is one atomic addition), no allocation, no lock, whatever
 * readers do. Threads are spread over stripes by their id, so that two seldom add to the same cache
 * line.
 *
 * <p>For readers: a reading holds whole groups only, every group exactly once, and readings never
 * decrease. A group that a thread is in the middle of when the reading is made, or that shares a
 * stripe with one whose thread was descheduled there, comes with the next reading: late, never
 * torn. So {@code count} equals the sum of the buckets, and {@code sum} is that of just these
 * durations.
 *
 * <p>Memory is fixed: {@code (2 * stripes + 1) * histograms * cells * 8} bytes and little more.
 */
public final class StripedRecorder {

    private final Stripe[] stripes;
    private final Cells all;
    private final Totals totals;

    /**
     * Takes all the memory it will ever need.
     *
     * @param scheme of all histograms
     * @param histograms how many
     * @param counters how many
     * @param stripes a power of two; as many as there are processors is plenty
     */
    public StripedRecorder(BucketScheme scheme, int histograms, int counters, int stripes) {
        this.stripes = new Stripe[stripes];
        for (int i = 0; i < stripes; i++) {
            this.stripes[i] = new Stripe(scheme, histograms, counters);
        }
        this.all = new Cells(scheme.cells(), histograms, counters);
        this.totals = new Totals(scheme, all);
    }

    /** The stripe of the calling thread. */
    public Stripe stripe() {
        return stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
    }

    /**
     * Collects what was recorded and shows it. Readers wait for each other.
     *
     * @param reader is shown the totals, which are not to be kept
     * @return what the reader makes of them
     */
    public synchronized <T> T read(Function<Totals, T> reader) {
        for (Stripe stripe : stripes) {
            stripe.drainTo(all);
        }
        return reader.apply(totals);
    }
}
