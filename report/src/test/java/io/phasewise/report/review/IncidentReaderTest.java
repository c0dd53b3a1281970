/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.review.IncidentReader.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** When the canary is to blame, and not a broker. */
class IncidentReaderTest {

    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

    @Test
    void aStarvedMinuteOfTenIsNoReasonToAcquitTheBrokers() {
        assertThat(starved(10, 1)).isFalse();
    }

    @Test
    void aCanaryStarvedHalfTheTimeIsTheSuspect() {
        assertThat(starved(10, 5)).isTrue();
        assertThat(starved(1, 1)).isTrue();
    }

    @Test
    void aCanaryThatWasNeverStarvedIsNone() {
        assertThat(starved(10, 0)).isFalse();
        assertThat(starved(0, 0)).isFalse();
    }

    /** An incident of so many minutes, in as many first ones of which the canary was starved. */
    private static boolean starved(int minutes, int starved) {
        Window window = new Window(START, START.plus(Duration.ofHours(1)), Duration.ofMinutes(1));
        SortedMap<Instant, Counts> counts = new TreeMap<>();
        for (int i = -10; i < minutes + 10; i++) {
            boolean stalls = i < starved;
            counts.put(
                    START.plus(Duration.ofMinutes(20 + i)),
                    new Counts(100, 9, 0, 0, stalls ? 8 : 0));
        }
        Instant from = START.plus(Duration.ofMinutes(20));
        return IncidentReader.starved(
                new Span(from, from.plus(Duration.ofMinutes(minutes)), 9),
                Measured.whole(
                        window,
                        Form.RAW_NATIVE,
                        List.of(),
                        counts,
                        0.05,
                        0.99,
                        1,
                        new TreeSet<>()));
    }
}
