/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.MarkPage;
import java.util.List;

/** What a canary's splitter and suspects were given at one instant, or that a fault began or ended. */
sealed interface Event {
    /** Monotonic nanoseconds of the canary, as all instants here but those in pages, which are their broker's. */
    long at();

    /** A page of marks came. */
    record Page(long at, int broker, MarkPage page) implements Event {}

    /** A broker's agent did not answer. */
    record Silent(long at, int broker) implements Event {}

    /** A ping came back after so many nanoseconds. */
    record RoundTrip(long at, int broker, long nanos) implements Event {}

    /** The canary's timer fired so much too late. */
    record Hiccup(long at, long nanos) implements Event {}

    /**
     * A poll of the canary's consumer ended.
     *
     * @param from when it began
     * @param partitions of which it brought some records and left some behind
     */
    record Poll(long at, long from, List<Integer> partitions) implements Event {}

    /** Probes go to the topic of this id. */
    record Topic(long at, String id) implements Event {}

    /** A probe ended. */
    record Ended(long at, Trip trip) implements Event {}

    /** These probes are open; a second is judged at this instant. */
    record Open(long at, List<OpenProbe> probes) implements Event {}

    /** The fault began, or ended. */
    record Fault(long at, boolean begins) implements Event {}
}
