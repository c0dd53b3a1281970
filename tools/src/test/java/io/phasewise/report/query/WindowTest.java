/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a window is cut into blocks. */
class WindowTest {

    private static final Instant FROM = Instant.parse("2026-11-01T00:20:00Z");

    @ParameterizedTest
    @CsvSource({"P30D,  PT1H, 720, P1D,  true", "PT1H,  PT5M, 12,  PT5M, true", "PT10M, PT1M, 10,  PT1M, false"})
    void theLongerItIsTheLongerAreItsBlocks(
            Duration length, Duration block, int blocks, Duration coarse, boolean recorded) {
        Window window = Window.fine(FROM, FROM.plus(length));

        assertThat(window.block()).isEqualTo(block);
        assertThat(window.blocks()).isEqualTo(blocks);
        assertThat(window.coarse().block()).isEqualTo(coarse);
        assertThat(window.holdsRecorded())
                .as("a recorded rate is of five minutes")
                .isEqualTo(recorded);
    }

    @Test
    void itBeginsWithAWholeBlock() {
        assertThat(Window.fine(FROM, FROM.plus(Duration.ofDays(30))).from()).isEqualTo("2026-11-01T00:00:00Z");
    }
}
