/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.clock;

/**
 * The least of the values of a sliding window, in O(1) amortised time: a queue that drops every
 * value which a later one undercuts, as it can never be the least again.
 *
 * <p>Bounded: when full, further values that are not the least are dropped. The answer is then
 * never too small, and may be too large once the values that were kept have left the window.
 */
final class SlidingMinimum {

    private final long windowNanos;
    private final long[] times;
    private final long[] values;
    private int head;
    private int size;

    /**
     * @param windowNanos age at which a value leaves
     * @param capacity most values kept
     */
    SlidingMinimum(long windowNanos, int capacity) {
        this.windowNanos = windowNanos;
        this.times = new long[capacity];
        this.values = new long[capacity];
    }

    void add(long time, long value) {
        while (size > 0 && values[slot(size - 1)] >= value) {
            size--;
        }
        if (size < times.length) {
            times[slot(size)] = time;
            values[slot(size)] = value;
            size++;
        }
    }

    /** Forgets what is older than the window; the last value left is kept all the same. */
    void expire(long now) {
        while (size > 1 && now - times[head] > windowNanos) {
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

    int size() {
        return size;
    }

    private int slot(int index) {
        return (head + index) % times.length;
    }
}
