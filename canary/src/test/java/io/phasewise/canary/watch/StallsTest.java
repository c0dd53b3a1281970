/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StallsTest {
    private static final long MS = 1_000_000;

    private final AtomicLong clock = new AtomicLong();
    private final Stalls stalls = new Stalls(20 * MS, clock::get);

    @Test
    void aTimerThatFiresAboutInTimeIsNoStall() {
        stalls.expect(1 * MS);
        stalls.fired(1 * MS, 21 * MS);

        assertThat(stalls.touched(0, 100 * MS)).isFalse();
    }

    @Test
    void touchesWhatOverlapsItAndNothingElse() {
        stalls.fired(100 * MS, 150 * MS);
        stalls.fired(300 * MS, 350 * MS);
        clock.set(1_000 * MS);

        assertThat(stalls.touched(0, 100 * MS)).as("ended as it began").isFalse();
        assertThat(stalls.touched(0, 101 * MS)).isTrue();
        assertThat(stalls.touched(120 * MS, 130 * MS)).as("within").isTrue();
        assertThat(stalls.touched(150 * MS, 300 * MS)).as("between two").isFalse();
        assertThat(stalls.touched(340 * MS, 900 * MS)).isTrue();
        assertThat(stalls.touched(350 * MS, 900 * MS)).isFalse();
    }

    @Test
    void aStallUnderWayCountsBeforeTheTimerHasFired() {
        stalls.expect(10 * MS);
        clock.set(31 * MS);

        assertThat(stalls.touched(0, 31 * MS)).isTrue();
        assertThat(stalls.touched(0, 10 * MS)).as("ended before the stall").isFalse();

        clock.set(30 * MS);
        assertThat(stalls.touched(0, 30 * MS)).as("not beyond the threshold yet").isFalse();
    }

    @Test
    void remembersAsManyAsItSaysAndForgetsTheOldest() {
        for (int i = 0; i < 1_025; i++) {
            stalls.fired(i * 100 * MS, i * 100 * MS + 50 * MS);
        }
        clock.set(200_000 * MS);

        assertThat(stalls.touched(0, 60 * MS)).isFalse();
        assertThat(stalls.touched(100 * MS, 160 * MS)).isTrue();
    }
}
