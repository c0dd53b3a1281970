/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.Optional;

/**
 * The latency of one probe, taken apart.
 *
 * @param instants T0 to T5
 * @param phases what each phase is charged: the differences of the instants, unless the probe
 *     waited behind another, whose phases that wait is then charged to; sums to T5 - T0 either way
 * @param marked what its leader reported of it; empty where T2 and T3 are estimates
 */
public record Breakdown(Instants instants, PhaseBreakdown phases, Optional<Marked> marked) {

    /**
     * A leader's own account.
     *
     * @param leaderInstants on the canary's clock
     * @param uncertaintyNanos how far these instants can be off, all by the same amount
     * @param estimate what the phases would have been without it
     * @param misestimated whether the estimate is further from the leader's account than the errors
     *     of both allow
     */
    public record Marked(
            LeaderInstants leaderInstants, long uncertaintyNanos, PhaseBreakdown estimate, boolean misestimated) {}

    /** A breakdown by the estimate. */
    public Breakdown(Instants instants, PhaseBreakdown phases) {
        this(instants, phases, Optional.empty());
    }
}
