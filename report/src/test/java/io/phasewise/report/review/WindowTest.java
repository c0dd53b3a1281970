/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How a window is cut into blocks. */
class WindowTest {

    private static final Instant FROM = Instant.parse("2026-11-01T00:20:00Z");

    @Test
    void aMonthIsCutIntoHoursAndDays() {
        Window window = Window.fine(FROM, FROM.plus(Duration.ofDays(30)));
        assertThat(window.block()).isEqualTo(Duration.ofHours(1));
        assertThat(window.from()).isEqualTo("2026-11-01T00:00:00Z");
        assertThat(window.blocks()).isEqualTo(720);
        assertThat(window.coarse().block()).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void anHourIsCutIntoFiveMinutes() {
        Window window = Window.fine(FROM, FROM.plus(Duration.ofHours(1)));
        assertThat(window.blocks()).isEqualTo(12);
        assertThat(window.coarse().blocks()).isEqualTo(12);
        assertThat(window.holdsRecorded()).isTrue();
    }

    @Test
    void lessIsCutIntoMinutesWhichNoRecordedRateTells() {
        Window window = Window.fine(FROM, FROM.plus(Window.SHORTEST));
        assertThat(window.blocks()).isEqualTo(10);
        assertThat(window.coarse().blocks()).isEqualTo(10);
        assertThat(window.holdsRecorded()).isFalse();
    }
}
