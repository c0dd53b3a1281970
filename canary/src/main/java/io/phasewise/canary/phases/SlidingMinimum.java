/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

/**
 * The least of the values of a sliding window, in O(1) amortised time: a queue that drops every
 * value which a later one undercuts, as it can never be the least again.
 *
 * <p>Bounded: when full, further values that are not the least are dropped. The answer is then
 * never too small, and may be too large once the values that were kept have left the window. Memory
 * is taken as it is needed, mostly for a dozen values, and given back.
 */
final class SlidingMinimum {
    private static final int LEAST_ROOM = 8;

    private final long windowNanos;
    private final int capacity;
    private long[] times = {};
    private long[] values = {};
    private int head;
    private int size;

    /**
     * @param windowNanos age at which a value leaves
     * @param capacity most values kept
     */
    SlidingMinimum(long windowNanos, int capacity) {
        this.windowNanos = windowNanos;
        this.capacity = capacity;
    }

    void add(long time, long value) {
        while (size > 0 && values[slot(size - 1)] >= value) {
            size--;
        }
        if (size == capacity) {
            return;
        }
        if (size == times.length) {
            resize(Math.min(capacity, Math.max(LEAST_ROOM, 2 * size)));
        } else if (size < times.length / 4 && times.length > LEAST_ROOM) {
            resize(times.length / 2);
        }
        times[slot(size)] = time;
        values[slot(size)] = value;
        size++;
    }

    private void resize(int room) {
        long[] newTimes = new long[room];
        long[] newValues = new long[room];
        for (int i = 0; i < size; i++) {
            newTimes[i] = times[slot(i)];
            newValues[i] = values[slot(i)];
        }
        times = newTimes;
        values = newValues;
        head = 0;
    }

    /** Forgets what is older than the window; the last value left is kept all the same. */
    void expire(long now) {
        forgetBefore(now - windowNanos);
    }

    /** Forgets what is older than that; the last value left is kept all the same. */
    void forgetBefore(long instant) {
        while (size > 1 && times[head] - instant < 0) {
            head = (head + 1) % times.length;
            size--;
        }
    }

    void clear() {
        size = 0;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The least value; the caller has made sure that there is one. */
    long least() {
        return values[head];
    }

    /** How old the least value is. */
    long age(long now) {
        return now - times[head];
    }

    private int slot(int index) {
        return (head + index) % times.length;
    }
}
