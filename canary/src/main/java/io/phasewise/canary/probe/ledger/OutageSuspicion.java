/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Suspects an outage when the probes of most leaders have been overdue for about three seconds:
 * before their deadline, which is what a page would wait for otherwise. Which probes are overdue is
 * left to {@link OverdueWatch}.
 *
 * <p>Probes that are due at the same time share their fate, so an observation is not a probe but a
 * slice of time: bad when the mean share of overdue probes, over its leaders, is above a half. One
 * leader of three that is gone is no outage, however its partition's probes are spread.
 */
final class OutageSuspicion {
    /** How often the suspicion is wrong where slices are independent: once in this time. */
    static final Duration BETWEEN_FALSE_ALARMS = Duration.ofDays(365);

    static final Duration SLICE = Duration.ofMillis(250);

    /** The share of bad slices that counts as healthy, and that of an outage. */
    static final double HEALTHY = 0.1;

    static final double OUTAGE = 0.5;

    /** A slice lasts until it has so many probes. */
    private static final int LEAST_PROBES = 3;

    /**
     * Evidence is void after so long without a full slice, for example while the canary is paused.
     */
    private static final Duration VOID = Duration.ofMinutes(1);

    private final SequentialTest test =
            new SequentialTest(HEALTHY, OUTAGE, (double) BETWEEN_FALSE_ALARMS.toNanos() / SLICE.toNanos());
    private final Map<Integer, Tally> slice = new HashMap<>();
    private boolean begun;
    private long begin;
    private int probes;

    /** The probes of one leader in one slice. */
    private static final class Tally {
        private int probes;
        private int overdue;
    }

    /**
     * Takes in one probe that is old enough to be overdue.
     *
     * @param leader broker id
     * @param overdue whether it has not come back
     */
    void add(int leader, boolean overdue) {
        Tally tally = slice.computeIfAbsent(leader, id -> new Tally());
        tally.probes++;
        tally.overdue += overdue ? 1 : 0;
        probes++;
    }

    /** Closes the slice when it is due; call it several times in each. */
    void update(long nowNanos) {
        if (!begun) {
            begun = true;
            begin = nowNanos;
        }
        long length = nowNanos - begin;
        if (length >= SLICE.toNanos() && probes >= LEAST_PROBES) {
            test.observe(isBad());
            slice.clear();
            probes = 0;
            // The time left over goes to the next slice, so that slices are no longer than calls are apart.
            begin = length < 2 * SLICE.toNanos() ? begin + SLICE.toNanos() : nowNanos;
        } else if (length > VOID.toNanos()) {
            test.reset();
        }
    }

    private boolean isBad() {
        return slice.values().stream()
                        .mapToDouble(of -> (double) of.overdue / of.probes)
                        .average()
                        .orElse(0)
                > 0.5;
    }

    boolean isSuspected() {
        return test.isAccepted();
    }
}
