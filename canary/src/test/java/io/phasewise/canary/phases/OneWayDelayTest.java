/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Half the least round trip of the window. */
class OneWayDelayTest {

    @Test
    void isHalfTheLeastRoundTripOfTheWindow() {
        OneWayDelay delay = new OneWayDelay(100, 100);
        assertThat(delay.nanos(0, OptionalLong.empty())).isZero();
        assertThat(delay.known(0)).isFalse();
        delay.observe(0, 80);
        delay.observe(50, 60);
        delay.observe(60, 90);
        assertThat(delay.nanos(60, OptionalLong.empty())).isEqualTo(30);
        assertThat(delay.nanos(155, OptionalLong.empty())).isEqualTo(45);
    }

    @Test
    void keepsTheLastEstimateOfASilentBrokerAndSaysSo() {
        OneWayDelay delay = new OneWayDelay(100, 100);
        delay.observe(0, 80);
        assertThat(delay.nanos(1_000, OptionalLong.empty())).isEqualTo(40);
        assertThat(delay.known(1_000)).isFalse();
        delay.observe(1_000, 300);
        assertThat(delay.nanos(1_000, OptionalLong.empty())).isEqualTo(150);
        assertThat(delay.known(1_000)).isTrue();
    }

    @Test
    void aRiseGoesToTheWayThatGrewOnceItIsBelieved() {
        OneWayDelay delay = new OneWayDelay(1_000, 10);
        delay.observe(0, 100);
        rise(delay);
        assertThat(delay.nanos(20, OptionalLong.of(0))).as("all of it back").isEqualTo(130);
        assertThat(delay.nanos(20, OptionalLong.of(30))).isEqualTo(100);
        assertThat(delay.nanos(20, OptionalLong.of(80))).as("all of it out").isEqualTo(50);
        assertThat(delay.nanos(20, OptionalLong.of(500))).as("queues too").isEqualTo(50);
        assertThat(delay.nanos(20, OptionalLong.empty())).as("half").isEqualTo(90);
    }

    @Test
    void theRecentRoundTripGrowsWhicheverWayDid() {
        OneWayDelay delay = new OneWayDelay(1_000, 10);
        assertThat(delay.recentRoundTripNanos(0)).isEmpty();
        delay.observe(0, 100);
        delay.observe(5, 180);
        assertThat(delay.recentRoundTripNanos(5)).as("not of a single one").hasValue(100);
        rise(delay);
        assertThat(delay.recentRoundTripNanos(20)).hasValue(180);
        assertThat(delay.recentRoundTripNanos(3_000)).as("silent").isEmpty();
    }

    @Test
    void fewRoundTripsAreNoRiseThoughTheLastMomentsHadNoOther() {
        OneWayDelay delay = new OneWayDelay(1_000, 10);
        delay.observe(0, 100);
        for (int i = 1; i <= 4; i++) {
            delay.observe(i * 20, 180);
            assertThat(delay.nanos(i * 20, OptionalLong.of(0))).isEqualTo(50);
        }
        delay.observe(100, 180);
        assertThat(delay.nanos(100, OptionalLong.of(0))).as("five").isEqualTo(130);
    }

    private static void rise(OneWayDelay delay) {
        for (int at = 16; at <= 20; at++) {
            delay.observe(at, 180);
        }
    }

    @Test
    void whenTheClockForgetsTheRiseIsHalvedAsAPathThatWasAlwaysSo() {
        OneWayDelay delay = new OneWayDelay(1_000, 10);
        delay.observe(0, 100);
        rise(delay);
        delay.forgetBefore(20);
        assertThat(delay.nanos(20, OptionalLong.of(0))).isEqualTo(90);
    }
}
