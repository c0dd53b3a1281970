/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

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

        assertThat(stalls.within(0, 100 * MS)).isZero();
    }

    @Test
    void countsTheTimeThatOverlapsAndNothingElse() {
        stalls.fired(100 * MS, 150 * MS);
        stalls.fired(300 * MS, 350 * MS);
        clock.set(1_000 * MS);

        assertThat(stalls.within(0, 100 * MS)).as("ended as it began").isZero();
        assertThat(stalls.within(0, 101 * MS)).isEqualTo(1 * MS);
        assertThat(stalls.within(120 * MS, 130 * MS)).as("within").isEqualTo(10 * MS);
        assertThat(stalls.within(150 * MS, 300 * MS)).as("between two").isZero();
        assertThat(stalls.within(140 * MS, 310 * MS)).as("parts of two").isEqualTo(20 * MS);
        assertThat(stalls.within(0, 900 * MS)).as("two").isEqualTo(100 * MS);
        assertThat(stalls.within(350 * MS, 900 * MS)).isZero();
    }

    @Test
    void aStallUnderWayCountsBeforeTheTimerHasFired() {
        stalls.fired(1 * MS, 25 * MS);
        stalls.expect(30 * MS);
        clock.set(51 * MS);

        assertThat(stalls.within(20 * MS, 51 * MS)).isEqualTo(26 * MS);
        assertThat(stalls.within(25 * MS, 30 * MS)).as("ended before the stall").isZero();

        clock.set(50 * MS);
        assertThat(stalls.within(25 * MS, 50 * MS))
                .as("not beyond the threshold yet")
                .isZero();
    }

    @Test
    void remembersAsManyAsItSaysAndForgetsTheOldest() {
        for (int i = 0; i < 1_025; i++) {
            stalls.fired(i * 100 * MS, i * 100 * MS + 50 * MS);
        }
        clock.set(200_000 * MS);

        assertThat(stalls.within(0, 60 * MS)).isZero();
        assertThat(stalls.within(100 * MS, 160 * MS)).isEqualTo(50 * MS);
    }
}
