/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

/** The rule that no probe is lost from the books. */
public final class Conservation {
    private Conservation() {}

    /** Whether every scheduled probe is accounted for exactly once. */
    public static boolean holds(LeaderCounts counts) {
        LeaderCounts.Outcomes ended = counts.outcomes();
        return counts.scheduled()
                == ended.delivered() + ended.late() + ended.lost() + ended.sendFailed() + counts.inFlight();
    }
}
