/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.review.IncidentReader.Span;
import io.phasewise.report.stats.Histogram;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the canary is to blame, and not a broker. */
class IncidentReaderTest {

    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({"10, 1, false", "10, 5, true", "1, 1, true", "10, 0, false", "0, 0, false"})
    void aCanaryThatWasStarvedHalfTheTimeIsTheSuspect(int minutes, int starved, boolean suspect) {
        assertThat(starved(minutes, starved)).isEqualTo(suspect);
    }

    /** An incident of so many minutes, in as many first ones of which the canary was starved. */
    private static boolean starved(int minutes, int starved) {
        Window window = new Window(START, START.plus(Duration.ofHours(1)), Duration.ofMinutes(1));
        Instant from = START.plus(Duration.ofMinutes(20));
        return IncidentReader.starved(
                new Span(from, from.plus(Duration.ofMinutes(minutes)), 9),
                SampleWindow.measured(
                        window,
                        minute -> Histogram.EMPTY,
                        minute -> new Counts(100, 9, 0, 0, minute < 20 + starved ? 8 : 0)));
    }
}
