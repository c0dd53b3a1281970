/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

import io.phasewise.canary.phase.PhaseBreakdown;
import java.util.Optional;

/** Charges all time to one phase, for tests that are about something else. */
public enum PositionalBreakdowns implements Breakdowns {
    INSTANCE;

    @Override
    public PhaseBreakdown of(Probe probe, Optional<Sending> sending, Delivery delivery) {
        return new PhaseBreakdown(0, 0, 0, 0, Math.max(0, delivery.atNanos() - probe.dueNanos()));
    }
}
