/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import io.phasewise.canary.account.Account;
import java.util.Optional;

/**
 * The latency of one probe, taken apart.
 *
 * @param instants T0 to T5
 * @param phases what each phase is charged: the differences of the instants, unless the probe
 *     waited behind another, whose phases that wait is then charged to; sums to T5 - T0 either way
 * @param marked what its leader reported of it; empty where T2 and T3 are estimates
 * @param whose whose time each phase was, summing to it; empty until the splitter knows. It is known for every reader of
 *     a trip
 */
public record Breakdown(Instants instants, PhaseBreakdown phases, Optional<Marked> marked, Optional<Account> whose) {

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

    /** A breakdown by the estimate, without an account. */
    public Breakdown(Instants instants, PhaseBreakdown phases) {
        this(instants, phases, Optional.empty());
    }

    /** A breakdown without an account. */
    public Breakdown(Instants instants, PhaseBreakdown phases, Optional<Marked> marked) {
        this(instants, phases, marked, Optional.empty());
    }

    /** The same with its account. */
    public Breakdown with(Account account) {
        return new Breakdown(instants, phases, marked, Optional.of(account));
    }

    /**
     * Whose time it was.
     *
     * @throws IllegalStateException when that is not known yet
     */
    public Account account() {
        return whose.orElseThrow(() -> new IllegalStateException("this probe has no account yet"));
    }
}
