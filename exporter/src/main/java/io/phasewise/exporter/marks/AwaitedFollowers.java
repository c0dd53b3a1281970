/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.MarkPage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which followers the marks of this broker's partitions wait for, and when they last did: a fetch of
 * a follower matters only then. Thread-safe; asking takes no lock.
 */
final class AwaitedFollowers {

    private static final class Awaited {
        /** Partitions with a mark that waits for it. */
        private final AtomicInteger partitions = new AtomicInteger();

        private volatile long until = MarkPage.UNKNOWN;
    }

    private final Map<Integer, Awaited> followers = new ConcurrentHashMap<>();

    /** A partition begins to wait for a follower. */
    void begin(int follower) {
        followers.computeIfAbsent(follower, id -> new Awaited()).partitions.incrementAndGet();
    }

    /** A partition that began no longer waits. */
    void end(int follower, long now) {
        Awaited awaited = followers.get(follower);
        awaited.until = now;
        awaited.partitions.decrementAndGet();
    }

    /**
     * Whether anybody waited for a follower since an instant.
     *
     * @param follower as an object, so that asking makes none
     */
    boolean isAwaitedSince(Integer follower, long instant) {
        Awaited awaited = followers.get(follower);
        return awaited != null
                && (awaited.partitions.get() > 0 || awaited.until != MarkPage.UNKNOWN && awaited.until - instant >= 0);
    }
}
