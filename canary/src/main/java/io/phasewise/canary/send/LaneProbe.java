/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.phases.Instants.UNKNOWN;

import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.split.PhaseEstimator;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.SendResult;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * One probe on its way to the leader: its wait for a lane, its dispatches, its release; says how
 * the time that others waited behind it is to be labelled. Thread-safe.
 */
final class LaneProbe {
    private final Probe probe;
    private final List<Long> dispatches = new ArrayList<>(1);
    private LaneProbe front;
    private long grantedAt;
    private long waited;
    private long sentAt;
    private Dispatch deciding;
    private long release;
    private RecordMetadata metadata;
    private boolean isDecided;

    /** Whether it is decided and it is known what it waited behind. */
    private boolean frontKnown;

    private boolean failed;
    private boolean handedBack;
    private Timeline stretch;

    /** What it waited behind; known when it is decided, if the one in front is decided by then. */
    private List<Wait> waits = List.of();

    /** On a pipelined lane: the probe that was handed over next for the same partition. */
    private volatile LaneProbe next;

    LaneProbe(Probe probe) {
        this.probe = probe;
    }

    Probe probe() {
        return probe;
    }

    synchronized void granted(LaneGrant<LaneProbe> grant) {
        // One that did not wait has nobody in front, whoever used the lane before.
        front = grant.waitedNanos() > 0 ? grant.front().orElse(null) : null;
        grantedAt = grant.grantedAt();
        waited = grant.waitedNanos();
    }

    /**
     * Its lane knew no leader, so it will ask for a lane again. That wait says nothing of how many
     * lanes are needed.
     */
    synchronized void handedBack() {
        handedBack = true;
    }

    synchronized boolean wasHandedBack() {
        return handedBack;
    }

    synchronized long handedOverAt() {
        return grantedAt;
    }

    void followedBy(LaneProbe successor) {
        next = successor;
    }

    /** The first probe handed over later that is not decided; null for none. */
    LaneProbe nextUnderWay() {
        LaneProbe later = next;
        while (later != null && later.isDecided()) {
            later = later.next;
        }
        return later;
    }

    private synchronized boolean isDecided() {
        return isDecided;
    }

    synchronized void sent(long now) {
        sentAt = now;
    }

    synchronized long sentAt() {
        return sentAt;
    }

    /**
     * Takes in that a request that carried it is over; another one may follow. The same request
     * reported again is ignored.
     */
    synchronized void dispatched(Dispatch dispatch) {
        if (!isDecided && !dispatches.contains(dispatch.dispatched())) {
            dispatches.add(dispatch.dispatched());
        }
    }

    synchronized boolean retried() {
        return dispatches.size() > 1;
    }

    /**
     * Decides it: it is acknowledged or given up.
     *
     * @param dispatch the request that decided it, or null
     * @param answer what the acknowledgement says; null without one
     * @param behind what it waited behind once it was handed over
     * @param now the present
     * @param estimator labels what it held up
     * @return false when it was decided before
     */
    boolean decide(
            boolean failure,
            Dispatch dispatch,
            RecordMetadata answer,
            List<Wait> behind,
            long now,
            PhaseEstimator estimator) {
        LaneProbe ahead;
        synchronized (this) {
            if (isDecided) {
                return false;
            }
            if (dispatch != null) {
                dispatched(dispatch);
            }
            isDecided = true;
            failed = failure;
            deciding = dispatch;
            metadata = answer;
            release = now;
            waits = behind;
            for (Wait wait : behind) {
                waited += wait.nanos();
            }
            ahead = front;
            front = null; // otherwise the last probe of a long queue would keep all of it in memory
        }
        // Not under this one's lock: two probes may come to have each other in front.
        Timeline before = ahead == null ? null : ahead.stretch(estimator);
        synchronized (this) {
            frontKnown = true;
            if (before != null) {
                waits = List.of(new Wait(before, probe.dueNanos(), grantedAt));
                stretch(estimator);
            }
        }
        return true;
    }

    /** How the time that others waited behind it is labelled; null while it is not decided. */
    synchronized Timeline stretch(PhaseEstimator estimator) {
        if (stretch == null && frontKnown) {
            Timeline own = failed || dispatches.isEmpty()
                    ? Timeline.failedRequest(probe.dueNanos(), firstDispatch(), release)
                    : estimator.request(
                            probe.dueNanos(),
                            firstDispatch(),
                            dispatches.get(dispatches.size() - 1),
                            broker(),
                            release,
                            metadata == null ? Delivery.NO_APPEND_TIME : metadata.timestamp());
            stretch = own.behind(waits);
        }
        return stretch;
    }

    private long firstDispatch() {
        return dispatches.isEmpty() ? release : dispatches.get(0);
    }

    private int broker() {
        return deciding == null ? probe.leader() : deciding.node();
    }

    /** What it reports to the ledger once it is decided. */
    synchronized SendResult result() {
        long acknowledged = failed ? UNKNOWN : deciding == null ? release : deciding.completed();
        return SendResult.of(dispatches, acknowledged, broker(), waits, grantedAt, waited, metadata);
    }
}
