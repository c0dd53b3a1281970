/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceIdTest {
    private static final long INSTANCE = 0x00000000feedbeefL;

    @Test
    void is32HexadecimalDigitsThatBeginWithTheInstance() {
        assertThat(TraceId.of(INSTANCE, 3, 77).toString())
                .matches("[0-9a-f]{32}")
                .startsWith("00000000feedbeef")
                .isEqualTo(TraceId.of(INSTANCE, 3, 77).toString());
    }

    @Test
    void differsForEveryProbe() {
        Set<TraceId> ids = new HashSet<>();
        for (int partition = 0; partition < 1000; partition++) {
            for (int sequence = 0; sequence < 100; sequence++) {
                ids.add(TraceId.of(INSTANCE, partition, sequence));
            }
        }
        assertThat(ids).hasSize(100_000);
    }

    @Test
    void drawsAboutOneInSoManyOfConsecutiveProbesOrAllOrNone() {
        int drawn = 0;
        for (int sequence = 0; sequence < 100_000; sequence++) {
            TraceId id = TraceId.of(INSTANCE, 0, sequence);
            drawn += id.oneIn(100) ? 1 : 0;
            assertThat(id.oneIn(1)).isTrue();
            assertThat(id.oneIn(0)).isFalse();
        }
        // 1,000 expected; six standard deviations either way. The draw is the same in every run.
        assertThat(drawn).isBetween(810, 1190);
    }
}
