/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SlidingMinimumTest {
    private static final long WINDOW = 1_000;

    private record Value(long time, long value) {}

    /** Rises make the queue grow, falls empty it: both change the room that it takes. */
    @Property(tries = 300)
    void isTheLeastOfTheWindowWhileItGrowsAndShrinks(@ForAll long seed) {
        Random random = new Random(seed);
        SlidingMinimum minimum = new SlidingMinimum(WINDOW, 4096);
        Deque<Value> window = new ArrayDeque<>();
        long now = 0;
        long level = 0;
        for (int i = 0; i < 2_000; i++) {
            now += random.nextInt(4);
            level += i / 200 % 2 == 0 ? 5 : -5;
            Value next = new Value(now, level + random.nextInt(20));
            window.add(next);
            minimum.add(next.time(), next.value());
            minimum.expire(now);
            while (now - window.peek().time() > WINDOW) {
                window.remove();
            }
            assertThat(minimum.least())
                    .isEqualTo(window.stream().mapToLong(Value::value).min().orElseThrow());
        }
        minimum.clear();
        assertThat(minimum.isEmpty()).isTrue();
        minimum.add(now, 7);
        assertThat(minimum.least()).isEqualTo(7);
        assertThat(minimum.age(now + 3)).isEqualTo(3);
    }

    @Property(tries = 50)
    void whenFullItIsNeverTooSmall(@ForAll long seed) {
        Random random = new Random(seed);
        SlidingMinimum minimum = new SlidingMinimum(Long.MAX_VALUE, 10);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 200; i++) {
            long value = i * 3L + random.nextInt(10);
            least = Math.min(least, value);
            minimum.add(i, value);
            assertThat(minimum.least()).isEqualTo(least);
        }
    }
}
