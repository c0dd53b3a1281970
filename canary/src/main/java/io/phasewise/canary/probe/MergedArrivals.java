/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import java.util.Collection;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Merges the partitions' arrivals into one series in order of due time; waiting for them is left to
 * {@link Scheduler}. Not thread-safe.
 */
final class MergedArrivals {
    /** Takes what is due. */
    @FunctionalInterface
    interface Due {
        void accept(int partition, long dueNanos);
    }

    private static final class Line implements Comparable<Line> {
        private final int partition;
        private final Arrivals arrivals;
        private long due;

        Line(int partition, Arrivals arrivals) {
            this.partition = partition;
            this.arrivals = arrivals;
            this.due = arrivals.next();
        }

        @Override
        public int compareTo(Line other) {
            // A difference, not a comparison of values: nanoTime may wrap. Ties go by partition,
            // for determinism.
            long difference = due - other.due;
            return difference != 0 ? Long.signum(difference) : Integer.compare(partition, other.partition);
        }
    }

    private final PriorityQueue<Line> queue = new PriorityQueue<>();

    /** Keeps the lines of partitions that stay, starts those of new ones and ends the others. */
    void serve(Collection<Integer> partitions, IntFunction<Arrivals> newArrivals) {
        queue.removeIf(line -> !partitions.contains(line.partition));
        Set<Integer> fresh = new TreeSet<>(partitions);
        queue.forEach(line -> fresh.remove(line.partition));
        fresh.forEach(partition -> queue.add(new Line(partition, newArrivals.apply(partition))));
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** The next due instant; only when not empty. */
    long nextDue() {
        return queue.element().due;
    }

    /** Hands over everything due by now, each at its own due instant, in order. */
    void drain(long now, Due due) {
        while (!queue.isEmpty() && queue.element().due - now <= 0) {
            Line line = queue.remove();
            long at = line.due;
            line.due = line.arrivals.next();
            queue.add(line);
            due.accept(line.partition, at);
        }
    }
}
