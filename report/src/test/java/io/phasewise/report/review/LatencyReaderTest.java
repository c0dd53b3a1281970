/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.source.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is asked of a server that has very much, so that it has little to read. */
class LatencyReaderTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");

    @Test
    void scrapedCountersAreReadWhole() {
        assertThat(LatencyReader.counterRange(window(Duration.ofHours(1)), Form.RAW_NATIVE))
                .isEqualTo("3600s");
    }

    @Test
    void ofLongWindowsCountersAreReadEveryHalfHourFromABlocksBeginToItsEnd() {
        assertThat(LatencyReader.counterRange(window(Duration.ofHours(1)), Form.RECORDED_NATIVE))
                .isEqualTo("5399s:1800s");
        assertThat(LatencyReader.counterRange(window(Duration.ofDays(1)), Form.RECORDED_NATIVE))
                .isEqualTo("88199s:1800s");
    }

    @Test
    void ofShortBlocksCountersAreReadAtBeginAndEnd() {
        assertThat(
                        LatencyReader.counterRange(
                                window(Duration.ofMinutes(15)), Form.RECORDED_CLASSIC))
                .isEqualTo("1799s:900s");
    }

    @Test
    void recordedRatesAreReadOnceInFiveMinutesAndScrapedHistogramsWhole() {
        assertThat(
                        Form.RECORDED_CLASSIC.counted(
                                Form.RECORDED_CLASSIC.endToEnd(), "a=\"b\"", "", "3600s", 3600))
                .isEqualTo(
                        "sum by (le) (300 * sum_over_time("
                                + "kafka_canary:end_to_end_latency_seconds_by_cluster:rate5m"
                                + "{a=\"b\"}[3599s:5m]))");
        assertThat(
                        Form.RAW_NATIVE.counted(
                                Form.RAW_NATIVE.endToEnd(), "a=\"b\"", "leader", "3600s", 3600))
                .isEqualTo(
                        "sum by (leader)"
                                + " (increase(kafka_canary_end_to_end_latency_seconds"
                                + "{a=\"b\"}[3600s]))");
    }

    @Test
    void whatTwoServersScrapedOfOneCanaryAreCopies() {
        assertThat(
                        LatencyReader.copies(
                                List.of(
                                        target("instance", "a:9470", "replica", "a", 0, 1),
                                        target("instance", "a:9470", "replica", "b", 0, 1),
                                        target("instance", "b:9470", "replica", "a", 0, 1))))
                .containsExactly("replica");
    }

    @Test
    void canariesOfDifferentAddressesOrSitesOrOneAfterTheOtherAreNone() {
        assertThat(
                        LatencyReader.copies(
                                List.of(
                                        target("instance", "a:9470", "pod", "a", 0, 1, 2),
                                        target("instance", "a:9470", "pod", "b", 2, 3, 4),
                                        target("instance", "b:9470", "pod", "c", 0, 1, 2),
                                        target("instance", "localhost", "site", "a", 0, 1, 2),
                                        target("instance", "localhost", "site", "b", 0, 1, 2),
                                        target("job", "pushed", "pod", "d", 0, 1, 2),
                                        target("job", "pushed", "pod", "e", 0, 1, 2))))
                .isEmpty();
    }

    private static Series target(
            String name, String value, String other, String otherValue, int... hours) {
        SortedMap<Instant, Double> values = new TreeMap<>();
        for (int hour : hours) {
            values.put(START.plus(Duration.ofHours(hour)), 0.05);
        }
        return new Series(
                Map.of("cluster", "orders", name, value, other, otherValue),
                new TreeMap<>(values),
                new TreeMap<>());
    }

    private static Window window(Duration block) {
        return new Window(START, START.plus(Duration.ofDays(30)), block);
    }
}
