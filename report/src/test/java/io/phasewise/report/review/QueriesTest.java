/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is asked of a server that has very much, so that it has little to read. */
class QueriesTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");

    @Test
    void scrapedCountersAreReadWhole() {
        assertThat(Queries.counterRange(blocks(Duration.ofHours(1)), Form.RAW_NATIVE))
                .isEqualTo("3600s");
    }

    @Test
    void ofLongWindowsCountersAreReadEveryHalfHourFromABlocksBeginToItsEnd() {
        assertThat(Queries.counterRange(blocks(Duration.ofHours(1)), Form.RECORDED_NATIVE))
                .isEqualTo("5399s:1800s");
        assertThat(Queries.counterRange(blocks(Duration.ofDays(1)), Form.RECORDED_NATIVE))
                .isEqualTo("88199s:1800s");
    }

    @Test
    void ofShortBlocksCountersAreReadAtBeginAndEnd() {
        assertThat(Queries.counterRange(blocks(Duration.ofMinutes(15)), Form.RECORDED_CLASSIC))
                .isEqualTo("1799s:900s");
    }

    @Test
    void recordedRatesAreReadOnceInFiveMinutesAndScrapedHistogramsWhole() {
        Window hours = blocks(Duration.ofHours(1));
        assertThat(queries("orders").blocks("whole", hours, Form.RECORDED_CLASSIC))
                .isEqualTo(
                        "sum by (le) (300 * sum_over_time("
                                + "kafka_canary:end_to_end_latency_seconds_by_cluster:rate5m"
                                + "{cluster=\"orders\",profile=\"default\"}[3599s:5m]))");
        assertThat(queries("orders").blocks("leaders", hours, Form.RAW_NATIVE))
                .isEqualTo(
                        "sum by (leader)"
                                + " (increase(kafka_canary_end_to_end_latency_seconds"
                                + "{cluster=\"orders\",profile=\"default\"}[3600s]))");
    }

    @Test
    void aNameIsAStringWhateverIsInIt() {
        assertThat(queries("a\"} or $brokers %s").selector("target"))
                .isEqualTo(
                        "kafka_canary_slo_target_seconds"
                                + "{cluster=\"a\\\"} or $brokers %s\",profile=\"default\"}");
    }

    @Test
    void ofAFleetItIsAskedByThePattern() {
        FleetQuestion fleet =
                new FleetQuestion(
                        "prod-.*",
                        "default",
                        Optional.empty(),
                        blocks(Duration.ofHours(1)),
                        ZoneOffset.UTC);
        assertThat(Queries.of(fleet).blocks("fleet.bytes.in", fleet.window(), Form.RAW_NATIVE))
                .isEqualTo(
                        "sum by (cluster) (rate(kafka_server_brokertopicmetrics_bytesin_total"
                                + "{broker!=\"\",cluster!=\"\",cluster=~\"prod-.*\"}[3600s]))");
    }

    private static Queries queries(String cluster) {
        Window window = blocks(Duration.ofHours(1));
        return Queries.of(
                new Question(
                        cluster,
                        "default",
                        Optional.empty(),
                        window,
                        Optional.empty(),
                        ZoneOffset.UTC));
    }

    private static Window blocks(Duration block) {
        return new Window(START, START.plus(Duration.ofDays(30)), block);
    }
}
