/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.incident.IncidentReader.Span;
import io.phasewise.report.latency.Counts;
import io.phasewise.report.latency.SampleWindow;
import io.phasewise.report.latency.WindowData;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where an incident begins and ends, and when the canary is to blame. */
class IncidentReaderTest {

    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({"10, 1, false", "10, 5, true", "1, 1, true", "10, 0, false", "0, 0, false"})
    void aCanaryThatWasStarvedHalfTheTimeIsTheSuspect(int minutes, int starved, boolean suspect) {
        WindowData measured = SampleWindow.measured(
                new Window(START, minutes(60), Duration.ofMinutes(1)),
                minute -> Histogram.EMPTY,
                minute -> new Counts(100, 9, 0, 0, minute < 20 + starved ? 8 : 0));
        Span incident = new Span(minutes(20), minutes(20 + minutes), 9);
        assertThat(IncidentReader.starved(incident, measured)).isEqualTo(suspect);
    }

    @Test
    void badTimesThatAreCloseAreOneIncidentAndAFewBadProbesNone() {
        Map<Integer, Double> many = Map.of(3, 100.0, 5, 100.0, 8, 4.0, 12, 100.0, 18, 20.0);
        SortedMap<Instant, Double> all = new TreeMap<>();
        SortedMap<Instant, Double> bad = new TreeMap<>();
        for (int i = 1; i <= 20; i++) {
            all.put(minutes(5 * i), i == 8 ? 10.0 : 1000.0);
            bad.put(minutes(5 * i), many.getOrDefault(i, 1.0));
        }
        assertThat(IncidentReader.spans(all, bad, 0.01))
                .containsExactly(new Span(minutes(10), minutes(25), 200), new Span(minutes(55), minutes(60), 100));
    }

    private static Instant minutes(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }
}
