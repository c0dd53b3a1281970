/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The last notifications, in memory: the oldest goes when a new one finds no room. Safe for use by
 * several threads.
 */
final class NotificationLog {

    private final int capacity;
    private final Deque<Notification> kept = new ArrayDeque<>();
    private long lastId;

    /**
     * @param capacity how many are kept, at least 1
     */
    NotificationLog(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, was " + capacity);
        }
        this.capacity = capacity;
    }

    /** Keeps the notification that {@code withId} makes of the next id. */
    synchronized Notification add(LongFunction<Notification> withId) {
        Notification added = withId.apply(++lastId);
        if (kept.size() == capacity) {
            kept.removeFirst();
        }
        kept.addLast(added);
        return added;
    }

    /** Those with a greater id, newest first. */
    synchronized List<Notification> newestAfter(long id) {
        List<Notification> newer = new ArrayList<>();
        for (Notification notification : kept) {
            if (notification.id() > id) {
                newer.add(notification);
            }
        }
        Collections.reverse(newer);
        return newer;
    }
}
