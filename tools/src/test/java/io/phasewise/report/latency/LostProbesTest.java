/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LostProbesTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");

    @Test
    void whatResurfacesIsTakenFromItsOwnBlock() {
        assertThat(LostProbes.of(blocks(new int[] {10, 5}, new int[] {0, 2})).values())
                .containsExactly(10.0, 3.0);
    }

    @Test
    void whatResurfacesLaterIsTakenFromTheBlockThatLostIt() {
        assertThat(LostProbes.of(blocks(new int[] {10, 5, 0}, new int[] {0, 0, 8}))
                        .values())
                .containsExactly(7.0, 0.0, 0.0);
    }

    @Test
    void whatWasLostBeforeTheWindowTakesNothingFromLaterBlocks() {
        assertThat(LostProbes.of(blocks(new int[] {1, 5}, new int[] {4, 0})).values())
                .containsExactly(0.0, 5.0);
        assertThat(LostProbes.sum(blocks(new int[] {1, 5}, new int[] {4, 0}))).isEqualTo(5);
    }

    private static SortedMap<Instant, Counts> blocks(int[] lost, int[] resurfaced) {
        SortedMap<Instant, Counts> counts = new TreeMap<>();
        for (int i = 0; i < lost.length; i++) {
            counts.put(START.plus(Duration.ofHours(i)), new Counts(100, 0, lost[i], resurfaced[i], 0));
        }
        return counts;
    }
}
