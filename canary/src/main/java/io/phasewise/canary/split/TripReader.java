/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.trip.Trip;

/** Sees every trip once it is known in full. Called by one thread at a time; must not wait for anything. */
@FunctionalInterface
public interface TripReader {
    /**
     * A probe came back, and its latency has been split. Called once for each such trip.
     *
     * @param trip the trip
     * @param breakdown its instants and phases, whose sum is the trip's latency to the nanosecond
     */
    void delivered(Trip trip, Breakdown breakdown);

    /**
     * A probe ended without having come back; it may turn up later all the same.
     *
     * @param wait whose time it was from when it was due until its deadline, as far as that is known
     */
    default void undelivered(Trip trip, Account wait) {}
}
