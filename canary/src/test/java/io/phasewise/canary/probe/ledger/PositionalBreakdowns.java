/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.Instants;
import java.util.Optional;

/** Charges all time to one phase, for tests that are about something else. */
public enum PositionalBreakdowns implements Breakdowns {
    INSTANCE;

    @Override
    public Breakdown of(Probe probe, Optional<SendResult> sending, Delivery delivery) {
        long due = probe.dueNanos();
        long delivered = Math.max(due, delivery.atNanos());
        Instants instants = new Instants(due, due, due, due, due, delivered);
        return new Breakdown(instants, instants.breakdown());
    }
}
