/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static io.phasewise.canary.phases.ProbeObservation.UNKNOWN;

import java.util.List;
import java.util.Optional;
import java.util.function.LongBinaryOperator;

/**
 * All that the canary itself saw of a delivered probe.
 *
 * @param seen with T2 as it is estimated
 * @param uncertaintyNanos how far that can be off
 * @param catchUp see {@link Instants#normalised}
 * @param waits behind other requests that are charged to their phases; none with {@link
 *     Attribution#POSITION}
 */
public record ProbeEstimate(
        ProbeObservation seen, long uncertaintyNanos, LongBinaryOperator catchUp, List<Wait> waits) {

    /** The phases without the leader's marks. */
    public Breakdown estimated() {
        Instants instants = Instants.normalised(seen, catchUp);
        return new Breakdown(instants, phases(instants));
    }

    /**
     * The phases by the leader's own marks.
     *
     * @param leaderInstants on the canary's clock
     * @param markUncertaintyNanos how far that can be off
     */
    public Breakdown marked(LeaderInstants leaderInstants, long markUncertaintyNanos) {
        Instants instants = Instants.marked(seen, leaderInstants, catchUp);
        return new Breakdown(
                instants,
                phases(instants),
                Optional.of(new Breakdown.Marked(
                        leaderInstants,
                        markUncertaintyNanos,
                        estimated().phases(),
                        isMisestimated(leaderInstants.appended(), markUncertaintyNanos))));
    }

    private boolean isMisestimated(long appended, long markUncertaintyNanos) {
        return seen.appended() != UNKNOWN
                && Math.abs(seen.appended() - appended) > uncertaintyNanos + markUncertaintyNanos;
    }

    private PhaseBreakdown phases(Instants instants) {
        return waits.isEmpty()
                ? instants.breakdown()
                : Timeline.ofProbe(instants).behind(waits).breakdown();
    }
}
