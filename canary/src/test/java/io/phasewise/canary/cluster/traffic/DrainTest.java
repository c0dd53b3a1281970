/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DrainTest {
    private static final Duration A_SECOND = Duration.ofSeconds(1);

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();

    /** Whoever is asked how many are on their way takes a millisecond to answer. */
    private long answer(long inFlight) {
        looks.incrementAndGet();
        now.addAndGet(1_000_000);
        return inFlight;
    }

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    /** It did not: it looked again and again, without a pause, until the time was over. */
    @Test
    void anInterruptEndsTheWaitAtOnceAndStaysSet() {
        Thread.currentThread().interrupt();
        new Drain(() -> answer(1), now::get).await(A_SECOND);
        assertThat(looks).hasValue(1);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void theWaitEndsWithTheLastProbe() {
        new Drain(() -> answer(3 - looks.get()), now::get).await(A_SECOND);
        assertThat(looks).hasValue(4);
    }

    @Test
    void theWaitEndsWithItsTime() {
        new Drain(() -> answer(1), now::get).await(Duration.ofMillis(5));
        assertThat(looks).hasValue(5);
    }

    @Test
    void nothingIsWaitedForWhereNoProbeIsOnItsWay() {
        new Drain(() -> answer(0), now::get).await(A_SECOND);
        assertThat(looks).hasValue(1);
    }
}
