/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Both error rates and the time to detect, simulated: independent observations, fixed seeds. */
class SequentialTestTest {
    private static final double HEALTHY = OutageSuspicion.HEALTHY;
    private static final double OUTAGE = OutageSuspicion.OUTAGE;
    private static final double A_YEAR =
            (double) OutageSuspicion.BETWEEN_FALSE_ALARMS.toNanos() / OutageSuspicion.SLICE.toNanos();

    private final SequentialTest test = new SequentialTest(HEALTHY, OUTAGE, A_YEAR);

    /** How many observations it takes, so many of which are bad. */
    private static long untilAccepted(SequentialTest test, SplittableRandom random, double bad) {
        long observations = 0;
        for (; !test.isAccepted(); observations++) {
            test.observe(random.nextDouble() < bad);
        }
        return observations;
    }

    @Test
    void betweenTwoFalseAlarmsLieAtLeastAsManyObservationsAsStated() {
        SplittableRandom random = new SplittableRandom(26);
        for (int stated : new int[] {100, 1_000, 10_000}) {
            SequentialTest stating = new SequentialTest(HEALTHY, OUTAGE, stated);
            long observations = 0;
            for (int alarms = 0; alarms < 300; alarms++) {
                stating.reset();
                observations += untilAccepted(stating, random, HEALTHY);
            }
            assertThat(observations / 300.0)
                    .as("observations to a false alarm, stated %d", stated)
                    .isGreaterThan(stated)
                    .as("a bound that is of no use")
                    .isLessThan(20.0 * stated);
        }
    }

    @Test
    void aYearInWhichOneSliceInTenIsBadHasOneFalseAlarmAtMost() {
        SplittableRandom random = new SplittableRandom(365);
        int alarms = 0;
        boolean before = false;
        for (long slice = 0; slice < A_YEAR; slice++) {
            test.observe(random.nextDouble() < HEALTHY);
            alarms += test.isAccepted() && !before ? 1 : 0;
            before = test.isAccepted();
        }
        assertThat(alarms).isLessThanOrEqualTo(1);
    }

    @Test
    void aDayOfAnOutageIsNeverTakenBack() {
        SplittableRandom random = new SplittableRandom(24);
        untilAccepted(test, random, OUTAGE);
        for (int slice = 0; slice < 24 * 3600 * 4; slice++) {
            test.observe(random.nextDouble() < OUTAGE);
            assertThat(test.isAccepted()).as("slice %d", slice).isTrue();
        }
    }

    @Test
    void whenAllSlicesAreBadTwelveAreEnoughAndElevenAreNot() {
        assertThat(untilAccepted(test, new SplittableRandom(), 1)).isEqualTo(12);
    }

    @Test
    void whenHalfOfThemAreItTakesTenSecondsOnTheMean() {
        SplittableRandom random = new SplittableRandom(50);
        long observations = 0;
        for (int outage = 0; outage < 1_000; outage++) {
            test.reset();
            observations += untilAccepted(test, random, OUTAGE);
        }
        assertThat(observations / 1_000.0 * OutageSuspicion.SLICE.toMillis() / 1_000)
                .isBetween(8.0, 11.0);
    }
}
