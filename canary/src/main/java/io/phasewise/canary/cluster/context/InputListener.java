/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.context;

import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.MarkPage;
import java.util.List;

/**
 * Hears all that splitter and suspects are given, as it comes and before it is used: who keeps it can do the same with
 * it again. The product keeps nothing and has {@link #NONE}; only a test's own program has another one. All profiles
 * share it. Called by the threads that measure, several at a time: must not wait for anything, and not throw. Instants
 * are monotonic nanoseconds.
 */
public interface InputListener extends PollLog.Listener {
    /** Hears and does nothing. */
    InputListener NONE = new InputListener() {};

    /** A broker's agent has answered. */
    default void page(int broker, long now, MarkPage page) {}

    /** A broker's agent was asked, and has not answered in time or not with a page. */
    default void silent(int broker, long now) {}

    /** A ping was answered after so many nanoseconds. */
    default void roundTrip(int broker, long now, long nanos) {}

    /** The canary's timer fired so much too late just now. */
    default void hiccup(long nanos) {}

    @Override
    default void polled(long from, long to, int[] partitions, int count) {}

    /** Probes go to the topic of this id from now on; the same may be said again. */
    default void topic(String id) {}

    /** A probe ended. */
    default void ended(Trip trip) {}

    /** These have been open for a while, said once before each second that is judged. */
    default void open(List<OpenProbe> probes, long now) {}
}
