/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.trip.Trip;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps what became of the trips that a ledger closes, in order. */
final class RecordedTrips implements Consumer<Trip> {
    final List<String> events = new ArrayList<>();
    private Ledger ledger;
    private boolean locked;

    /** From now on it watches that it is called without the ledger's lock. */
    void outsideTheLockOf(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Whether it was ever called with the lock. */
    boolean locked() {
        return locked;
    }

    @Override
    public void accept(Trip trip) {
        String how = trip.back().isPresent() ? "delivered" : "undelivered";
        String at = trip.back().isPresent()
                ? ""
                : trip.sent().map(sent -> " at " + sent.offset()).orElse("");
        events.add("%s %d %s%s".formatted(how, trip.sequence(), trip.outcome(), at));
        locked |= ledger != null && Thread.holdsLock(ledger);
    }
}
