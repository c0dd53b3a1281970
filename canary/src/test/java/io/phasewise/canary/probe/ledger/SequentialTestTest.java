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
            (double) OutageSuspicion.BETWEEN_FALSE_ALARMS.toNanos()
                    / OutageSuspicion.SLICE.toNanos();

    @Test
    void betweenTwoFalseAlarmsLieAtLeastAsManyObservationsAsStated() {
        SplittableRandom random = new SplittableRandom(26);
        for (int stated : new int[] {100, 1_000, 10_000}) {
            SequentialTest test = new SequentialTest(HEALTHY, OUTAGE, stated);
            long observations = 0;
            for (int alarms = 0; alarms < 300; alarms++) {
                test.reset();
                while (!test.isAccepted()) {
                    test.observe(random.nextDouble() < HEALTHY);
                    observations++;
                }
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
        SequentialTest test = new SequentialTest(HEALTHY, OUTAGE, A_YEAR);
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
        SequentialTest test = new SequentialTest(HEALTHY, OUTAGE, A_YEAR);
        SplittableRandom random = new SplittableRandom(24);
        while (!test.isAccepted()) {
            test.observe(random.nextDouble() < OUTAGE);
        }
        for (int slice = 0; slice < 24 * 3600 * 4; slice++) {
            test.observe(random.nextDouble() < OUTAGE);
            assertThat(test.isAccepted()).as("slice %d", slice).isTrue();
        }
    }

    @Test
    void whenAllSlicesAreBadTwelveAreEnoughAndElevenAreNot() {
        SequentialTest test = new SequentialTest(HEALTHY, OUTAGE, A_YEAR);
        for (int slice = 1; slice <= 11; slice++) {
            test.observe(true);
            assertThat(test.isAccepted()).as("%d bad slices", slice).isFalse();
        }
        test.observe(true);
        assertThat(test.isAccepted()).isTrue();
    }

    @Test
    void whenHalfOfThemAreItTakesTenSecondsOnTheMean() {
        SplittableRandom random = new SplittableRandom(50);
        long observations = 0;
        for (int outage = 0; outage < 1_000; outage++) {
            SequentialTest test = new SequentialTest(HEALTHY, OUTAGE, A_YEAR);
            while (!test.isAccepted()) {
                test.observe(random.nextDouble() < OUTAGE);
                observations++;
            }
        }
        assertThat(observations / 1_000.0 * OutageSuspicion.SLICE.toMillis() / 1_000)
                .isBetween(8.0, 11.0);
    }
}
