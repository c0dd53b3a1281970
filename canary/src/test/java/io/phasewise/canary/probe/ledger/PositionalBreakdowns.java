/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.Instants;
import java.util.Optional;
import java.util.function.Consumer;

/** Charges all time to one phase, for tests that are about something else. */
public enum PositionalBreakdowns implements Breakdowns {
    INSTANCE;

    @Override
    public void split(
            Probe probe,
            Optional<SendResult> sending,
            Delivery delivery,
            Consumer<Breakdown> done) {
        long due = probe.dueNanos();
        long delivered = Math.max(due, delivery.atNanos());
        Instants instants = new Instants(due, due, due, due, due, delivered);
        done.accept(new Breakdown(instants, instants.breakdown()));
    }
}
