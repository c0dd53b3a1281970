/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import java.util.ArrayList;
import java.util.List;

/** Keeps what a ledger reports to its listener, in order. */
public final class RecordedProbes implements ProbeListener {
    public final List<String> events = new ArrayList<>();
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
    public void delivered(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {
        add("delivered %d %s".formatted(probe.sequence(), probe.outcome()));
    }

    @Override
    public void undelivered(Probe probe, Outcome outcome, SendResult sending) {
        String at = sending == null ? "" : " at " + sending.offset();
        add("undelivered %d %s%s".formatted(probe.sequence(), outcome, at));
    }

    private void add(String what) {
        events.add(what);
        locked |= ledger != null && Thread.holdsLock(ledger);
    }
}
