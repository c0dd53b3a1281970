/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.marks.ReportedMarks;
import io.phasewise.common.marks.MarkPage;

/**
 * Whether the other brokers miss a broker whose agent is silent: it fetched records from them, and does so no more. That
 * an agent does not answer proves nothing by itself: it may be out of reach, and it may never have been there.
 */
final class MissedFetches {
    /** A follower asks for records every half a second at least: replica.fetch.wait.max.ms. */
    private static final long MISSED_AFTER = 1_000_000_000;

    private final MarkStore marks;

    MissedFetches(MarkStore marks) {
        this.marks = marks;
    }

    /** Whether a broker's agent has fallen silent, and other brokers had a fetch of it before an instant and none since. */
    boolean isGone(int broker, long before) {
        if (!marks.find(broker).map(ReportedMarks::hasFallenSilent).orElse(false)) {
            return false;
        }
        long[] heard = {Long.MIN_VALUE};
        long[] looked = {Long.MIN_VALUE};
        for (int other : marks.brokers()) {
            marks.find(other)
                    .filter(reported -> other != broker)
                    .ifPresent(reported -> reported.ahead(before)
                            .ifPresent(ahead -> reported.read(times -> {
                                Long at = times.lastFetches().get(broker);
                                if (at != null && times.made() != MarkPage.UNKNOWN) {
                                    heard[0] = Math.max(heard[0], at - ahead);
                                    looked[0] = Math.max(looked[0], times.made() - ahead);
                                }
                            })));
        }
        return heard[0] != Long.MIN_VALUE && heard[0] - before < 0 && looked[0] - heard[0] >= MISSED_AFTER;
    }
}
