/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.trip.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.function.LongBinaryOperator;

/**
 * Looks at each probe once, when it is old enough to be overdue: long before its deadline, so that
 * an outage is known before its probes have a verdict. Guarded by the lock of {@link Ledger}.
 *
 * <p>Time in which the canary's own process was stalled does not count: a probe is given that much
 * longer. A leader counts from its first probe that came back: connections of a canary that has
 * just started may take a while.
 */
final class OverdueWatch {
    /** A probe is overdue after this many times the target, at the deadline at the latest. */
    static final int TARGETS = 20;

    private final long overdueNanos;
    private final LongBinaryOperator stalledNanos;
    private final OutageSuspicion suspicion = new OutageSuspicion();

    /**
     * @param target delivered within this is good
     * @param deadline delivered after this is late
     * @param stalledNanos how long the canary's own process was paused between two instants; asked
     *     only for probes that did not come back
     */
    OverdueWatch(Duration target, Duration deadline, LongBinaryOperator stalledNanos) {
        this.overdueNanos = Math.min(target.multipliedBy(TARGETS).toNanos(), deadline.toNanos());
        this.stalledNanos = stalledNanos;
    }

    void look(Collection<PartitionProbes> partitions, long nowNanos) {
        for (PartitionProbes probes : partitions) {
            probes.watch(overdueNanos, nowNanos, probe -> pass(probe, nowNanos));
        }
        suspicion.update(nowNanos);
    }

    /** False when it is too early to say, because the canary was stalled. */
    private boolean pass(Probe probe, long nowNanos) {
        boolean cameBack = probe.outcome == Outcome.DELIVERED || probe.outcome == Outcome.LATE;
        if (!cameBack) {
            long stalled = stalledNanos.applyAsLong(probe.dueNanos, nowNanos);
            if (nowNanos - probe.dueNanos - stalled <= overdueNanos) {
                return false;
            }
        }
        if (probe.outcome == null) {
            probe.overdue = true;
            probe.leader.overdue++;
        }
        if (probe.leader.anyDelivered()) {
            suspicion.add(probe.leader.id, !cameBack);
        }
        return true;
    }

    /** Whether most probes have not come back for some seconds. */
    boolean suspectsOutage() {
        return suspicion.isSuspected();
    }
}
