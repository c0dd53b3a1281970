/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.experiments.measure.HeldTimes.Stretch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldTimesTest {
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
    private final HeldTimes held = new HeldTimes(List.of(stretch(100, 200), stretch(300, 400), stretch(1_000, 1_500)));

    @Test
    void aStretchCountsAsFarAsItLiesWithin() {
        assertThat(held.seconds(at(0), at(2_000))).isEqualTo(0.7, within(1e-9));
        assertThat(held.seconds(at(150), at(350))).isEqualTo(0.1, within(1e-9));
        assertThat(held.seconds(at(1_100), at(1_200))).isEqualTo(0.1, within(1e-9));
        assertThat(held.seconds(at(200), at(300))).isZero();
        assertThat(held.seconds(at(1_500), at(9_000))).isZero();
    }

    @Test
    void aConditionThatStillHoldsAtTheEndHoldsUntilThen() {
        HeldTimes found = HeldTimes.where(
                at(0), at(100), Duration.ofMillis(1), now -> now.isBefore(at(10)) || !now.isBefore(at(90)));

        assertThat(found.all()).containsExactly(stretch(0, 10), stretch(90, 100));
    }

    @Test
    void whatOverlapsCountsOnce() {
        HeldTimes other = new HeldTimes(List.of(stretch(50, 120), stretch(150, 320), stretch(2_000, 2_001)));

        assertThat(held.or(other).all())
                .containsExactly(stretch(50, 400), stretch(1_000, 1_500), stretch(2_000, 2_001));
        assertThat(held.or(other).seconds()).isEqualTo(0.851, within(1e-9));
    }

    private static Stretch stretch(long from, long to) {
        return new Stretch(at(from), at(to));
    }

    private static Instant at(long millis) {
        return START.plusMillis(millis);
    }
}
