/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static io.phasewise.canary.phases.Instants.UNKNOWN;

import java.util.List;
import java.util.Optional;
import java.util.function.LongBinaryOperator;

/**
 * What the canary itself knows of a delivered probe: what it saw, and its estimate of the append. {@link Instants} puts
 * it in order; with the leader's marks or without them.
 *
 * <p>All instants are nanoseconds on the canary's monotonic clock. Reading one that is not known fails.
 *
 * @param scheduled T0, when the probe was due
 * @param dispatched T1, see {@link Instants#t1}
 * @param appended the estimate of T2, or {@link Instants#UNKNOWN} where the topic has no LogAppendTime:
 *     publish is then zero and commit holds both, and whoever exports them must say so
 * @param uncertaintyNanos how far {@code appended} can be off
 * @param acknowledged when the client saw the acknowledgement, or {@link Instants#UNKNOWN} when it has seen
 *     none (yet, or because the request failed)
 * @param delivered T5, when poll() returned it
 * @param acks what the acknowledgement proves
 * @param oneWayDelay from the leader to the canary, nanoseconds, at least 0; 0 when not known
 * @param fetchDelay the same from the broker that the record was fetched from: another one where
 *     the consumer fetches from a follower
 * @param catchUp nanoseconds within [from, to] in which the consumer had not caught up with the
 *     probe, such as {@link PollLog#catchUpNanos}; what it says beyond the interval's length is cut
 * @param waits behind other requests that are charged to their phases; none with {@link
 *     Attribution#POSITION}
 */
public record ProbeEstimate(
        long scheduled,
        long dispatched,
        long appended,
        long uncertaintyNanos,
        long acknowledged,
        long delivered,
        Acks acks,
        long oneWayDelay,
        long fetchDelay,
        LongBinaryOperator catchUp,
        List<Wait> waits) {

    /** Whether T2 is estimated. */
    public boolean isAppendKnown() {
        return appended != UNKNOWN;
    }

    @Override
    public long appended() {
        return Instants.known(appended, "the append");
    }

    /** Whether the leader has answered. What acks=0 calls an acknowledgement is no answer. */
    public boolean isAnswered() {
        return acks != Acks.NONE && acknowledged != UNKNOWN;
    }

    @Override
    public long acknowledged() {
        return Instants.known(acknowledged, "the acknowledgement");
    }

    /** The phases without the leader's marks. */
    public Breakdown estimated() {
        Instants instants = Instants.normalised(this);
        return new Breakdown(instants, phases(instants));
    }

    /**
     * The phases by the leader's own marks.
     *
     * @param leaderInstants on the canary's clock
     * @param markUncertaintyNanos how far that can be off
     */
    public Breakdown marked(LeaderInstants leaderInstants, long markUncertaintyNanos) {
        Instants instants = Instants.marked(this, leaderInstants);
        return new Breakdown(
                instants,
                phases(instants),
                Optional.of(new Breakdown.Marked(
                        leaderInstants,
                        markUncertaintyNanos,
                        estimated().phases(),
                        isMisestimated(leaderInstants.appended(), markUncertaintyNanos))));
    }

    private boolean isMisestimated(long marked, long markUncertaintyNanos) {
        return isAppendKnown() && Math.abs(appended - marked) > uncertaintyNanos + markUncertaintyNanos;
    }

    private PhaseBreakdown phases(Instants instants) {
        return waits.isEmpty() ? instants.breakdown() : timeline(instants).breakdown();
    }

    /** Which phase every nanosecond is charged to, where it waited behind others. */
    public Timeline timeline(Instants instants) {
        return Timeline.ofProbe(instants).behind(waits);
    }
}
