/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Stretches of time in which something held, in order and apart: a process was paused, a thread waited for the disk.
 *
 * @param all each with its beginning and its end
 */
public record HeldTimes(List<Stretch> all) {

    /** From an instant (inclusive) to another (exclusive). */
    public record Stretch(Instant from, Instant to) {}

    public HeldTimes {
        all = List.copyOf(all);
    }

    /** Where a condition holds, looked at every step. */
    public static HeldTimes where(Instant from, Instant to, Duration step, Predicate<Instant> holds) {
        List<Stretch> found = new ArrayList<>();
        Instant since = null;
        for (Instant at = from; at.isBefore(to); at = at.plus(step)) {
            boolean now = holds.test(at);
            if (now && since == null) {
                since = at;
            } else if (!now && since != null) {
                found.add(new Stretch(since, at));
                since = null;
            }
        }
        if (since != null) {
            found.add(new Stretch(since, to));
        }
        return new HeldTimes(found);
    }

    /** Seconds of a stretch in which it held. */
    public double seconds(Instant from, Instant to) {
        long nanos = 0;
        for (Stretch each : all.subList(firstAfter(from), all.size())) {
            if (!each.from.isBefore(to)) {
                break;
            }
            Instant begin = each.from.isAfter(from) ? each.from : from;
            Instant end = each.to.isBefore(to) ? each.to : to;
            nanos += Math.max(0, Duration.between(begin, end).toNanos());
        }
        return nanos / 1e9;
    }

    /** The index of the first that ends after an instant. */
    private int firstAfter(Instant at) {
        int low = 0;
        int high = all.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (all.get(middle).to.isAfter(at)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Seconds in all. */
    public double seconds() {
        return all.stream()
                .mapToDouble(each -> Duration.between(each.from, each.to).toNanos() / 1e9)
                .sum();
    }

    /** Where either held. */
    public HeldTimes or(HeldTimes other) {
        List<Stretch> both = new ArrayList<>(all);
        both.addAll(other.all);
        both.sort(Comparator.comparing(Stretch::from));
        List<Stretch> merged = new ArrayList<>();
        for (Stretch each : both) {
            int last = merged.size() - 1;
            if (last >= 0 && !each.from.isAfter(merged.get(last).to)) {
                Stretch before = merged.get(last);
                merged.set(last, new Stretch(before.from, each.to.isAfter(before.to) ? each.to : before.to));
            } else {
                merged.add(each);
            }
        }
        return new HeldTimes(merged);
    }
}
