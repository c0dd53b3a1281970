/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.common.phase.Phase;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What stalls add to each phase of a probe that is otherwise instantaneous: it waits for the
 * leader, then for its followers, then for the consumer, each as long as that is paused. All by
 * definition of the phases, nothing by the canary.
 *
 * @param leader when nothing reached the leader
 * @param followers when no follower could follow
 * @param consumer when the consumer was away from poll()
 */
record StallModel(
        List<Stall.Interval> leader,
        List<Stall.Interval> followers,
        List<Stall.Interval> consumer) {
    private static final long STEP = 500_000;

    /** Means over probes delivered in a stretch of time, due at even distances, milliseconds. */
    Map<Phase, Double> added(long from, long to) {
        double publish = 0;
        double commit = 0;
        double catchUp = 0;
        long probes = 0;
        for (long due = from - 10_000_000_000L; due < to; due += STEP) {
            long appended = after(due, leader);
            long committed = after(appended, followers);
            long delivered = after(committed, consumer);
            if (delivered >= from && delivered < to) {
                publish += appended - due;
                commit += committed - appended;
                catchUp += delivered - committed;
                probes++;
            }
        }
        Map<Phase, Double> added = new EnumMap<>(Phase.class);
        put(added, Phase.PUBLISH, publish / probes);
        put(added, Phase.COMMIT, commit / probes);
        put(added, Phase.CATCH_UP, catchUp / probes);
        return added;
    }

    /**
     * What followers that are paused add where only one request may be under way, by position: the
     * first probe that is due meanwhile waits for the followers, the others for its answer. Over
     * all probes due in a stretch of time, and over all instants at which the first may be due.
     *
     * @param distance of two probes, nanoseconds
     */
    static Map<Phase, Double> window(
            List<Stall.Interval> followers, long from, long to, long distance) {
        double all = 0;
        double first = 0;
        for (Stall.Interval stall : followers) {
            if (stall.from() >= from && stall.to() < to) {
                double length = stall.to() - stall.from();
                all += length * length / 2 / distance;
                first += length - distance / 2.0;
            }
        }
        double probes = (double) (to - from) / distance;
        Map<Phase, Double> added = new EnumMap<>(Phase.class);
        put(added, Phase.PRODUCE, (all - first) / probes);
        put(added, Phase.COMMIT, first / probes);
        return added;
    }

    private static void put(Map<Phase, Double> added, Phase phase, double nanos) {
        if (nanos > 0) {
            added.put(phase, nanos / 1e6);
        }
    }

    private static long after(long instant, List<Stall.Interval> stalls) {
        for (Stall.Interval stall : stalls) {
            if (instant >= stall.from() && instant < stall.to()) {
                return stall.to();
            }
        }
        return instant;
    }
}
