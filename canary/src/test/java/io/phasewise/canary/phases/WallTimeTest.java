/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import org.junit.jupiter.api.Test;

/** Which wall time an instant of the monotonic clock has. */
class WallTimeTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final long MS = 1_000_000;

    /** Reads the given milliseconds one after the other; the wall clock stands at noon. */
    private static Instant at(long millis, Long... readings) {
        Iterator<Long> next = Arrays.asList(readings).iterator();
        return new WallTime(() -> NOON, () -> next.next() * MS).at(millis * MS);
    }

    @Test
    void isAsLongBeforeNowAsTheMonotonicClockSays() {
        assertThat(at(100, 160L, 160L)).isEqualTo(NOON.minusMillis(60));
        assertThat(at(200, 160L, 160L)).isEqualTo(NOON.plusMillis(40));
    }

    @Test
    void aThreadThatWaitedBetweenTheClocksReadsThemAgain() {
        assertThat(at(100, 160L, 460L, 470L, 470L)).isEqualTo(NOON.minusMillis(370));
    }

    @Test
    void whereAllReadingsLieApartTheNearestCount() {
        assertThat(at(0, 0L, 300L, 300L, 310L, 310L, 400L, 400L, 500L, 500L, 600L))
                .isEqualTo(NOON.minusMillis(305));
    }
}
