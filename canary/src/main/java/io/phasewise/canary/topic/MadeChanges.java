/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Remembers which changes were made, and says of one that is due again whether to make it again.
 * Used by one thread.
 *
 * <p>A change that is due again may be due for two reasons. The broker that was asked may not know
 * of it yet, as brokers learn of changes one after the other: so it is left alone for {@link
 * #SETTLING}. Or something else has undone it: after {@link #REPETITIONS} times within an hour it
 * is not made any more.
 *
 * <p>Neither holds for a change that creates or expands the topic, as without partitions nothing is
 * measured, nor for an election: it moves no data, and each restart of a broker asks for one.
 */
final class MadeChanges {
    /**
     * A change that is due again after it was made this often within an hour is being undone by
     * something else.
     */
    static final int REPETITIONS = 2;

    /** Brokers of a cluster that works learn of a change sooner than this. */
    static final Duration SETTLING = Duration.ofSeconds(10);

    static final Duration GIVES_WAY = Duration.ofHours(1);

    private static final Deque<Long> NEVER = new ArrayDeque<>();

    private final LongSupplier nanoClock;

    /** When each change was made, of the last hour. */
    private final Map<Change, Deque<Long>> made = new HashMap<>();

    /** When each change was made or seen under way last. */
    private final Map<Change, Long> underWay = new HashMap<>();

    /**
     * @param nanoClock monotonic nanoseconds
     */
    MadeChanges(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** A change was made. */
    void made(Change change) {
        long now = nanoClock.getAsLong();
        made.computeIfAbsent(change, each -> new ArrayDeque<>()).add(now);
        underWay.put(change, now);
    }

    /** A partition that the change is to move is being moved already, whoever asked for that. */
    void seenUnderWay(Change change) {
        underWay.put(change, nanoClock.getAsLong());
    }

    /** Whether a change was made, or under way, so lately that not every broker may know of it. */
    boolean isSettling(Change change) {
        long now = nanoClock.getAsLong();
        underWay.values().removeIf(at -> now - at >= SETTLING.toNanos());
        return isLeftAlone(change) && underWay.containsKey(change);
    }

    /** Whether a change was undone so often that it is not made again. */
    boolean isUndone(Change change) {
        long now = nanoClock.getAsLong();
        made.values().forEach(instants -> instants.removeIf(at -> now - at > GIVES_WAY.toNanos()));
        made.values().removeIf(Deque::isEmpty);
        return isLeftAlone(change) && made.getOrDefault(change, NEVER).size() >= REPETITIONS;
    }

    private static boolean isLeftAlone(Change change) {
        return !(change instanceof Change.Create || change instanceof Change.Expand || change instanceof Change.Elect);
    }
}
