/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the test of one leader, broker and role promises: how soon, how seldom wrong, and when it takes a name back. */
class CumulativeSumTest {
    private static final double USUAL = 0.01;
    private static final double[] PHASES = {0, 0, 1, 0, 0};

    private static CumulativeSum.Wait waited(double seconds) {
        return new CumulativeSum.Wait(20, seconds, seconds, USUAL, PHASES, 20, 0);
    }

    private static int secondsUntilAccepted(double seconds) {
        CumulativeSum evidence = new CumulativeSum();
        int second = 0;
        while (!evidence.isAccepted()) {
            evidence.observe(second++, waited(seconds));
            assertThat(second).as("seconds").isLessThan(10_000);
        }
        return second;
    }

    @ParameterizedTest
    @CsvSource({"5, 1", "0.2101, 1", "0.2099, 2", "0.0501, 5", "0.0201, 20", "0.0121, 96"})
    void anExcessIsAcceptedAfterTheBoundDividedByIt(double mean, int seconds) {
        assertThat(secondsUntilAccepted(mean)).isEqualTo(seconds);
    }

    @Test
    void whatIsUsualIsNeverAccepted() {
        CumulativeSum evidence = new CumulativeSum();
        for (int second = 0; second < 100_000; second++) {
            evidence.observe(second, waited(USUAL));
        }
        assertThat(evidence.isEmpty()).isTrue();
    }

    static Stream<Arguments> healthy() {
        ToDoubleFunction<SplittableRandom> fourth = random -> random.nextInt(4) == 0 ? pause(0.2) : 0;
        ToDoubleFunction<SplittableRandom> thirtieth = random -> random.nextInt(30) == 0 ? pause(0.3) : 0;
        ToDoubleFunction<SplittableRandom> sixMinutes = random -> random.nextInt(360) == 0 ? pause(0.4) : 0;
        ToDoubleFunction<SplittableRandom> noise = random -> MadeUpCluster.exponential(random, 0.006);
        return Stream.of(
                Arguments.of("pauses of 200 ms in one second of four", fourth),
                Arguments.of("pauses of 300 ms twice a minute", thirtieth),
                Arguments.of("pauses of 400 ms every six minutes", sixMinutes),
                Arguments.of("seconds' means exponential with 6 ms", noise));
    }

    private static double pause(double seconds) {
        return seconds * seconds / 2;
    }

    /** With one a month on the mean, more than 13 in five months come once in a thousand times. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("healthy")
    void noMoreFalseAlarmsThanOneInThirtyDays(String what, ToDoubleFunction<SplittableRandom> mean) {
        int months = 5;
        int alarms = 0;
        for (int month = 0; month < months; month++) {
            SplittableRandom random = new SplittableRandom(month);
            CumulativeSum evidence = new CumulativeSum();
            boolean before = false;
            for (long second = 0; second < CumulativeSum.BETWEEN_FALSE_ALARMS.toSeconds(); second++) {
                evidence.observe(second, waited(mean.applyAsDouble(random)));
                alarms += evidence.isAccepted() && !before ? 1 : 0;
                before = evidence.isAccepted();
            }
        }
        assertThat(alarms).as("in %d months", months).isLessThanOrEqualTo(13);
    }

    @Test
    void onePauseMustLastTwoThirdsOfASecond() {
        assertThat(secondsUntilAcceptedAfterOne(0.64)).isEqualTo(-1);
        assertThat(secondsUntilAcceptedAfterOne(0.65)).isEqualTo(1);
    }

    private static int secondsUntilAcceptedAfterOne(double pause) {
        CumulativeSum evidence = new CumulativeSum();
        evidence.observe(0, waited(pause(pause)));
        if (evidence.isAccepted()) {
            return 1;
        }
        for (int second = 1; second < 100; second++) {
            evidence.observe(second, waited(0));
            assertThat(evidence.isAccepted()).isFalse();
        }
        return -1;
    }

    @ParameterizedTest
    @CsvSource({"0.25, 15", "5, 15"})
    void aNameIsTakenBackAfterFifteenGoodSeconds(double excess, int good) {
        CumulativeSum evidence = new CumulativeSum();
        evidence.observe(0, waited(excess));
        for (int second = 1; second < good; second++) {
            evidence.observe(second, waited(0.0099));
            assertThat(evidence.isAccepted()).as("after %d s", second).isTrue();
        }
        evidence.observe(good, waited(0.0099));
        assertThat(evidence.isAccepted()).isFalse();
        assertThat(evidence.isEmpty()).isTrue();
    }

    /** Seconds pass also where a probe comes in each tenth only. */
    @Test
    void aNameIsTakenBackAfterFifteenGoodSecondsOfTheClockWhereProbesAreRare() {
        CumulativeSum evidence = new CumulativeSum();
        evidence.observe(0, waited(5));
        assertThat(evidence.isAccepted()).isTrue();
        evidence.observe(10, waited(0.0099));
        assertThat(evidence.isAccepted()).isTrue();
        evidence.observe(20, waited(0.0099));
        assertThat(evidence.isAccepted()).isFalse();
    }

    @Test
    void aStallEveryTenSecondsKeepsItsName() {
        CumulativeSum evidence = new CumulativeSum();
        for (int second = 0; second < 300; second++) {
            evidence.observe(second, waited(second % 10 == 0 ? 0.5 : 0));
            assertThat(evidence.isAccepted()).as("at second %d", second).isTrue();
        }
    }

    @Test
    void evidenceIsVoidAfterHalfAMinuteWithoutProbes() {
        CumulativeSum evidence = new CumulativeSum();
        evidence.observe(0, waited(1));
        evidence.expire(30);
        assertThat(evidence.isAccepted()).isTrue();
        evidence.expire(31);
        assertThat(evidence.isEmpty()).isTrue();
    }

    @Test
    void openProbesAndThoseThatCameBackAreNotAddedUp() {
        CumulativeSum evidence = new CumulativeSum();
        IntStream.range(0, 4)
                .forEach(second -> evidence.observe(second, new CumulativeSum.Wait(5, 1, 1, USUAL, PHASES, 1, 4)));
        assertThat(evidence.isAccepted()).isFalse();
        evidence.observe(4, new CumulativeSum.Wait(5, 1, 1, USUAL, PHASES, 1, 4));
        assertThat(evidence.isAccepted()).isTrue();
    }

    @Test
    void theExcessIsTheMeanOfAllProbesSinceItBegan() {
        CumulativeSum evidence = new CumulativeSum();
        evidence.observe(0, new CumulativeSum.Wait(10, 1, 1, USUAL, new double[] {0, 0, 0.6, 0, 0.2}, 10, 0));
        evidence.observe(1, new CumulativeSum.Wait(30, 3, 3, USUAL, new double[] {0, 0, 1.8, 0, 0.6}, 10, 0));

        double mean = (10 * 1 + 30 * 3) / 40.0 - USUAL;
        assertThat(evidence.excess())
                .containsExactly(
                        new double[] {0, 0, mean * 0.75, 0, mean * 0.25}, org.assertj.core.data.Offset.offset(1e-9));
    }
}
