/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import java.util.ArrayList;
import java.util.List;

/** Keeps what a ledger tells its witness, in order. */
public final class RecordedWitness implements ProbeWitness {
    public final List<String> told = new ArrayList<>();
    private Ledger ledger;
    private boolean locked;

    /** From now on it watches that it is told without the ledger's lock. */
    void outsideTheLockOf(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Whether it was ever told with the lock. */
    boolean locked() {
        return locked;
    }

    @Override
    public void seen(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {
        tell("seen %d %s".formatted(probe.sequence(), probe.outcome()));
    }

    @Override
    public void unseen(Probe probe, Outcome outcome, SendResult sending) {
        String at = sending == null ? "" : " at " + sending.offset();
        tell("unseen %d %s%s".formatted(probe.sequence(), outcome, at));
    }

    private void tell(String what) {
        told.add(what);
        locked |= ledger != null && Thread.holdsLock(ledger);
    }
}
