/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Milliseconds after some instant, which may be negative as that of System.nanoTime. */
class PausesTest {

    private static final long MS = 1_000_000;

    private final Pauses pauses = new Pauses();

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 200 * MS, Long.MIN_VALUE + 5})
    void aGapBetweenTicksIsAStandstill(long start) {
        pauses.tick(start);
        pauses.tick(start + 10 * MS);
        pauses.tick(start + 310 * MS);
        pauses.tick(start + 320 * MS);

        assertThat(pauses.between(start, start + 320 * MS)).isEqualTo(290 * MS);
        assertThat(pauses.between(start + 100 * MS, start + 200 * MS)).isEqualTo(100 * MS);
        assertThat(pauses.between(start + 310 * MS, start + 320 * MS)).isZero();
    }

    @Test
    void shortGapsAreNone() {
        for (int i = 0; i < 100; i++) {
            pauses.tick(i * Pauses.LEAST_NANOS);
        }

        assertThat(pauses.between(0, 100 * Pauses.LEAST_NANOS)).isZero();
        assertThat(pauses.total()).isZero();
    }

    @Test
    void theOneThatHasJustEndedCountsBeforeTheNextTick() {
        pauses.tick(0);

        assertThat(pauses.between(5 * MS, 500 * MS)).isEqualTo(490 * MS);
    }

    @Test
    void nothingIsKnownBeforeTheFirstTick() {
        assertThat(pauses.between(0, 500 * MS)).isZero();
    }

    @Test
    void whileNobodyWatchedThereIsNoStandstill() {
        pauses.tick(0);
        pauses.tick(10 * MS);
        pauses.resume();
        pauses.tick(3_600_000 * MS);
        pauses.tick(3_600_010 * MS);

        assertThat(pauses.total()).isZero();
        assertThat(pauses.between(0, 3_600_010 * MS)).isZero();
    }

    @Test
    void theLatestAreKept() {
        for (int i = 0; i <= 1_000; i++) {
            pauses.tick(i * 100 * MS);
        }

        assertThat(pauses.between(99_000 * MS, 100_000 * MS)).isEqualTo(900 * MS);
        assertThat(pauses.total()).isEqualTo(90_000 * MS);
    }
}
