/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.Arrays;

/**
 * Remembers when the consumer was in poll(), and of which partitions each poll brought some records
 * and left some behind; says how much of a stretch of time it had not yet caught up with a probe.
 * Polling is left to the consumer.
 *
 * <p>The consumer has not caught up with a probe while it is away from poll() and while it is in a
 * poll that brings records of the probe's partition, all of them earlier than the probe, and leaves
 * some behind. Time in a poll that brings nothing of the partition, or all that there was when the
 * broker answered, and in the poll that brings the probe, is the consumer waiting for the probe,
 * and no catching up. Records of one partition arrive in offset order, hence every poll that
 * brought some and ended before the probe's delivery brought only earlier ones; a poll that brings
 * a thousand probes needs no more memory than one that brings one.
 *
 * <p>Exact to the nanosecond for the last {@code maxPolls / 2} polls; O(log polls) for each
 * question, less for what is not long ago. Where there were more within the horizon, older
 * neighbours are merged to stretches of at most {@code 8 / maxPolls} of it (15 ms of a minute with
 * 32,768): how much of a stretch was in poll() is remembered exactly, where within it is not. What
 * is older than the horizon or than the first poll is taken for time away from poll().
 *
 * <p>Safe for use by several threads; polls must be reported in order.
 */
public final class PollLog {

    /** Hears of polls. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A poll has ended.
         *
         * @param from when it began, monotonic nanoseconds
         * @param to when it ended
         * @param partitions of which it brought some records and left some behind; used again by the next one
         * @param count how many entries of it count
         */
        void polled(long from, long to, int[] partitions, int count);
    }

    private final Listener listener;
    private final long horizonNanos;
    private final int maxPolls;
    private final Intervals polls;
    private Intervals[] bringing = new Intervals[0];
    private boolean polling;
    private long pollStart;

    /**
     * @param horizonNanos how far back questions reach, more than 0: at least the time after which
     *     a probe counts as lost
     * @param maxPolls remembered at most, at least 16, for all partitions and again for each; 16
     *     bytes each, and 24 once some were merged, taken as needed
     */
    public PollLog(long horizonNanos, int maxPolls) {
        this(horizonNanos, maxPolls, (from, to, partitions, count) -> {});
    }

    /** As the other one, with somebody who hears of each poll that has ended. */
    public PollLog(long horizonNanos, int maxPolls, Listener listener) {
        this.listener = listener;
        this.horizonNanos = horizonNanos;
        this.maxPolls = maxPolls;
        this.polls = new Intervals(maxPolls);
    }

    /**
     * The consumer enters poll().
     *
     * @param now nanoseconds on the canary's monotonic clock, not before the last poll's end
     * @throws IllegalStateException when it is in poll() already
     */
    public synchronized void entered(long now) {
        if (polling) {
            throw new IllegalStateException("already in poll()");
        }
        polling = true;
        pollStart = now;
    }

    /**
     * The consumer leaves poll(); this instant is T5 of every probe that the poll brought.
     *
     * @param now nanoseconds, not before {@link #entered}
     * @param partitions of which the poll brought some records, but not all that there were; in any
     *     order, each once
     * @param count how many of the array's entries count
     * @throws IllegalStateException when it is not in poll()
     */
    public synchronized void left(long now, int[] partitions, int count) {
        if (!polling) {
            throw new IllegalStateException("not in poll()");
        }
        polling = false;
        listener.polled(pollStart, now, partitions, count);
        polls.add(pollStart, now, horizonNanos);
        for (int i = 0; i < count; i++) {
            bringing(partitions[i]).add(pollStart, now, horizonNanos);
        }
    }

    /**
     * How long within [from, delivered] the consumer had not caught up with a probe.
     *
     * @param partition the probe's
     * @param from T3
     * @param delivered T5: the instant of the {@link #left} of the poll that brought the probe
     * @return nanoseconds, from 0 to the interval's length
     */
    public synchronized long catchUpNanos(int partition, long from, long delivered) {
        long length = delivered - from;
        if (length <= 0) {
            return 0;
        }
        long inPoll = polls.overlap(from, delivered);
        Intervals brought = partition < bringing.length ? bringing[partition] : null;
        long earlier = brought == null ? 0 : brought.overlapOfEndedBefore(from, delivered);
        return length - inPoll + earlier;
    }

    private Intervals bringing(int partition) {
        if (partition >= bringing.length) {
            bringing = Arrays.copyOf(bringing, Math.max(partition + 1, bringing.length * 2));
        }
        if (bringing[partition] == null) {
            bringing[partition] = new Intervals(maxPolls);
        }
        return bringing[partition];
    }

    /**
     * Disjoint intervals in order, with running sums of the time in poll() that each holds: all of
     * it, or less where several polls were merged. Those beyond the horizon are forgotten.
     */
    private static final class Intervals {
        private final int limit;
        private long[] starts = new long[16];

        /** Null while no polls were merged: each then ends its length after its start. */
        private long[] ends;

        /** Total length of all intervals before this one since the beginning. */
        private long[] before = new long[16];

        private long first;
        private long next;
        private long total;

        Intervals(int limit) {
            this.limit = limit;
        }

        void add(long start, long end, long horizon) {
            while (next > first && end - end(first) > horizon) {
                first++;
            }
            if (next - first >= limit) {
                thin(horizon / limit * 8);
            }
            if (next - first == starts.length) {
                grow();
            }
            int slot = slot(next++);
            starts[slot] = start;
            if (ends != null) {
                ends[slot] = end;
            }
            before[slot] = total;
            total += end - start;
        }

        /**
         * Merges neighbours of the older half as long as they stay within a stretch. Two neighbours
         * of the result are longer than one stretch, so that a quarter of the limit holds a whole
         * horizon of them.
         */
        private void thin(long stretch) {
            if (ends == null) {
                long[] all = new long[starts.length];
                for (long i = first; i < next; i++) {
                    all[slot(i)] = end(i);
                }
                ends = all;
            }
            long half = first + (next - first) / 2;
            long last = first;
            for (long i = first + 1; i < next; i++) {
                int from = slot(i);
                if (i >= half || ends[from] - starts[slot(last)] > stretch) {
                    last++;
                    starts[slot(last)] = starts[from];
                    before[slot(last)] = before[from];
                }
                ends[slot(last)] = ends[from];
            }
            next = last + 1;
        }

        /** Time in poll() that an interval holds. */
        private long held(long index) {
            return (index + 1 < next ? before[slot(index + 1)] : total) - before[slot(index)];
        }

        private long end(long index) {
            return ends == null ? starts[slot(index)] + held(index) : ends[slot(index)];
        }

        private int slot(long index) {
            return (int) (index % starts.length);
        }

        private void grow() {
            int capacity = starts.length + Math.max(16, starts.length / 4);
            long[] newStarts = new long[capacity];
            long[] newEnds = ends == null ? null : new long[capacity];
            long[] newBefore = new long[capacity];
            for (long i = first; i < next; i++) {
                int from = slot(i);
                int to = (int) (i % capacity);
                newStarts[to] = starts[from];
                if (ends != null) {
                    newEnds[to] = ends[from];
                }
                newBefore[to] = before[from];
            }
            starts = newStarts;
            ends = newEnds;
            before = newBefore;
        }

        long overlap(long from, long to) {
            return sumUntil(to) - sumUntil(from);
        }

        /** As {@link #overlap}, leaving out an interval that is not over before {@code to}. */
        long overlapOfEndedBefore(long from, long to) {
            long last = lastStartedBy(to);
            while (last >= first && end(last) - to >= 0) {
                last--;
            }
            if (last < first) {
                return 0;
            }
            int slot = slot(last);
            long until = before[slot] + held(last);
            return Math.max(0, until - sumUntil(from));
        }

        /** Total length of what lies before an instant, counted from the beginning. */
        private long sumUntil(long instant) {
            long last = lastStartedBy(instant);
            if (last < first) {
                return next > first ? before[slot(first)] : total;
            }
            int slot = slot(last);
            long held = held(last);
            long span = end(last) - starts[slot];
            long passed = instant - starts[slot];
            if (passed >= span) {
                return before[slot] + held;
            }
            return before[slot] + (held == span ? passed : (long) ((double) passed / span * held));
        }

        /**
         * Looked for from the newest backwards in doubling steps: most questions are about recent
         * polls.
         */
        private long lastStartedBy(long instant) {
            long low = next - 1;
            long high = low;
            for (long step = 1; low >= first && starts[slot(low)] - instant > 0; step *= 2) {
                high = low - 1;
                low -= step;
            }
            low = Math.max(low, first - 1);
            while (low < high) {
                long middle = low + (high - low + 1) / 2;
                if (starts[slot(middle)] - instant <= 0) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }
    }
}
