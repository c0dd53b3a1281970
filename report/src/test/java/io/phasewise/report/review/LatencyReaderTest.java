/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
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

    private static Window window(Duration block) {
        return new Window(START, START.plus(Duration.ofDays(30)), block);
    }
}
