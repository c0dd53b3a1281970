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
 * @param account whose time each phase was, summing to it; null until the splitter has made it, and reading it then
 *     fails. Every reader of a trip has it
 */
public record Breakdown(Instants instants, PhaseBreakdown phases, Optional<Marked> marked, Account account) {

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
        this(instants, phases, marked, null);
    }

    /** The same with its account. */
    public Breakdown with(Account made) {
        return new Breakdown(instants, phases, marked, made);
    }

    @Override
    public Account account() {
        if (account == null) {
            throw new IllegalStateException("this probe has no account yet");
        }
        return account;
    }
}
