/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Half the least round trip of the window. */
class OneWayDelayTest {

    @Test
    void isHalfTheLeastRoundTripOfTheWindow() {
        OneWayDelay delay = new OneWayDelay(100);
        assertThat(delay.nanos(0)).isZero();
        assertThat(delay.known(0)).isFalse();
        delay.observe(0, 80);
        delay.observe(50, 60);
        delay.observe(60, 90);
        assertThat(delay.nanos(60)).isEqualTo(30);
        assertThat(delay.nanos(155)).isEqualTo(45);
    }

    @Test
    void keepsTheLastEstimateOfASilentBrokerAndSaysSo() {
        OneWayDelay delay = new OneWayDelay(100);
        delay.observe(0, 80);
        assertThat(delay.nanos(1_000)).isEqualTo(40);
        assertThat(delay.known(1_000)).isFalse();
        delay.observe(1_000, 300);
        assertThat(delay.nanos(1_000)).isEqualTo(150);
        assertThat(delay.known(1_000)).isTrue();
    }

    private record Seen(long time, long roundTrip) {}

    @Property(tries = 100)
    void agreesWithASearchOfTheWholeWindow(@ForAll long seed) {
        Random random = new Random(seed);
        OneWayDelay delay = new OneWayDelay(1_000);
        ArrayDeque<Seen> window = new ArrayDeque<>();
        long now = 0;
        for (int i = 0; i < 500; i++) {
            now += random.nextInt(20);
            Seen seen = new Seen(now, random.nextInt(1_000));
            window.add(seen);
            while (now - window.peek().time() > 1_000) {
                window.remove();
            }
            delay.observe(seen.time(), seen.roundTrip());
            long least = window.stream().mapToLong(Seen::roundTrip).min().orElseThrow();
            assertThat(delay.nanos(now)).isEqualTo(least / 2);
        }
    }
}
