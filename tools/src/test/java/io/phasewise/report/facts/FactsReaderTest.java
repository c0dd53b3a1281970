/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.facts.Facts.ObservedValue;
import io.phasewise.report.latency.SampleWindow;
import io.phasewise.report.source.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which settings changed within a window. */
class FactsReaderTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");

    @Test
    void brokersThatChangedAlikeAreOneChange() {
        List<Series> versions = List.of(
                seen(Map.of("broker", "1", "version", "4.1.2"), 0, 1, 2),
                seen(Map.of("broker", "1", "version", "4.4.0"), 3, 4, 5),
                seen(Map.of("broker", "2", "version", "4.1.2"), 0, 1),
                seen(Map.of("broker", "2", "version", "4.4.0"), 2, 3, 4, 5),
                seen(Map.of("broker", "3", "version", "4.4.0"), 0, 5));
        assertThat(FactsReader.changes(versions, "broker", true))
                .containsExactly(new ObservedValue("version 4.1.2 -> 4.4.0", hour(2), hour(3), 2));
    }

    @Test
    void whatWasTakenBackIsTwoChanges() {
        assertThat(ofInstances(
                        seen(Map.of("acks", "all", "linger_ms", "0"), 0, 1, 4, 5),
                        seen(Map.of("acks", "all", "linger_ms", "5"), 2, 3)))
                .containsExactly(
                        new ObservedValue("linger_ms 0 -> 5", hour(2), hour(2), 0),
                        new ObservedValue("linger_ms 5 -> 0", hour(4), hour(4), 0));
    }

    @Test
    void aGapOrAMoveIsNoChange() {
        assertThat(ofInstances(
                        seen(Map.of("instance", "a", "acks", "all"), 0, 1),
                        seen(Map.of("instance", "a", "acks", "all"), 4, 5),
                        seen(Map.of("instance", "b", "acks", "all"), 5)))
                .isEmpty();
    }

    private static List<ObservedValue> ofInstances(Series... series) {
        return FactsReader.changes(List.of(series), "instance", false);
    }

    @Test
    void whatAServerAddsToAllItScrapesIsNoSetting() {
        List<Series> scraped = List.of(
                seen(Map.of("instance", "a", "replica", "a", "acks", "all"), 0, 1),
                seen(Map.of("instance", "a", "replica", "b", "acks", "all"), 2, 3));
        List<Series> known = FactsReader.without(Set.of("instance", "replica"), scraped);
        assertThat(FactsReader.changes(known, "instance", false)).isEmpty();
        assertThat(known).extracting(Series::labels).containsOnly(Map.of("instance", "a", "acks", "all"));
    }

    @Test
    void aBrokerThatTwoServersScrapedIsOne() {
        Map<String, String> first = Map.of("broker", "1", "job", "kafka-broker", "num_io_threads", "8");
        Map<String, String> other = Map.of("broker", "2", "job", "kafka-broker", "num_io_threads", "8");
        List<Series> twice = List.of(seen(first, 0, 1), seen(first, 0, 1), seen(other, 0, 1));
        assertThat(FactsReader.together(twice))
                .singleElement()
                .satisfies(all -> assertThat(all.values().values()).containsOnly(2.0));
    }

    private static Series seen(Map<String, String> labels, int... hours) {
        return SampleWindow.hourly(START, labels, hours);
    }

    private static Instant hour(int hour) {
        return START.plus(Duration.ofHours(hour));
    }
}
