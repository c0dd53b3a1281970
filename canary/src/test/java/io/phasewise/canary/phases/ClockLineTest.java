/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Another clock with an offset and a drift that only the test knows. */
class ClockLineTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final Random random = new Random(20_261_124);
    private final ClockLine line = new ClockLine();
    private long offset = random.nextLong() >> 3;
    private double driftPpm;
    private long now = random.nextLong() >> 3;
    private final long origin = now;

    private long there(long instant) {
        return instant + offset + Math.round((instant - origin) * driftPpm * 1e-6);
    }

    /** An exchange, each way of which takes a time that is random beyond the least. */
    private void exchange(long leastOut, long leastBack) {
        long sent = now;
        long arrived = sent + leastOut + random.nextInt(300_000);
        long left = arrived + random.nextInt((int) (20 * MILLI));
        long back = left + leastBack + random.nextInt(300_000);
        now = back;
        line.add(back, there(left) - back, sent, there(arrived) - sent);
    }

    private void holds() {
        ClockLine.Offset known = line.at(now);
        long truth = there(now) - now;
        assertThat(truth).isBetween(known.low(), known.high());
    }

    private void exchanges(int seconds, int perSecond, long leastOut, long leastBack) {
        for (int i = 0; i < seconds * perSecond; i++) {
            now += SECOND / perSecond;
            exchange(leastOut, leastBack);
            holds();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 20", "50, 20", "-50, 1", "400, 1", "3, 20"})
    void theTruthIsWithinBoundsThatGetTighter(double drift, int perSecond) {
        driftPpm = drift;
        exchanges(60, perSecond, 100 * MICRO, 100 * MICRO);

        assertThat(line.at(now).uncertainty()).isLessThan(250 * MICRO);
    }

    @ParameterizedTest
    @CsvSource({"100, 0", "0, 100"})
    void aPathThatBecomesSlowerOneWayIsNoClockThatMoves(long out, long back) {
        driftPpm = 50;
        exchanges(120, 20, 100 * MICRO, 100 * MICRO);
        // Some ten minutes: what was known before is still in the window.
        exchanges(300, 10, 100 * MICRO + out * MILLI, 100 * MICRO + back * MILLI);

        assertThat(line.at(now).uncertainty()).isLessThan(5 * MILLI);
    }

    @Test
    void aClockThatIsSetIsLearntAnew() {
        exchanges(60, 20, 100 * MICRO, 100 * MICRO);
        long set = now;
        assertThat(line.since().getAsLong()).isLessThan(set - 50 * SECOND);
        offset += 5 * MILLI;
        for (int i = 0; i < 20; i++) {
            now += SECOND / 20;
            exchange(100 * MICRO, 100 * MICRO);
        }

        assertThat(line.since().getAsLong()).isGreaterThan(set);
        holds();
    }

    @Test
    void aClockThatChangesItsPaceIsLearntAnew() {
        driftPpm = 30;
        exchanges(300, 2, 100 * MICRO, 100 * MICRO);
        offset = there(now) - now;
        offset += Math.round((origin - now) * -40e-6);
        driftPpm = -40;
        for (int i = 0; i < 600; i++) {
            now += SECOND / 2;
            exchange(100 * MICRO, 100 * MICRO);
        }
        holds();
        assertThat(line.at(now).uncertainty()).isLessThan(MILLI);
    }

    @Test
    void boundsThatContradictEachOtherAreDropped() {
        line.add(2 * SECOND, 10 * MILLI, SECOND, 0);
        assertThat(line.isEmpty()).isTrue();

        exchanges(10, 20, 100 * MICRO, 100 * MICRO);
        line.add(now, there(now) - now + SECOND, now, there(now) - now - SECOND);
        exchanges(10, 20, 100 * MICRO, 100 * MICRO);
    }
}
