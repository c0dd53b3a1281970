/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.experiments.measure.Scrape;
import io.phasewise.experiments.measure.TimedScrape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CircumstancesTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void everyBrokersRateIsOverTheTimeBetweenItsOwnReadings() {
        // Ten seconds lie between the first broker's pages, twenty between those of the second,
        // which was slow to answer.
        Circumstances found =
                Circumstances.between(
                        List.of(page(0, 1_000, 1), page(1, 5_000, 2)),
                        List.of(page(10, 2_000, 3), page(21, 6_000, 8)),
                        7,
                        0.5,
                        Map.of());

        assertThat(found.produceRequests()).isCloseTo(100 + 50, within(1e-9));
        assertThat(found.queueMillis()).isCloseTo((2 + 6) / 2_000.0 * 1e3, within(1e-9));
        assertThat(found.loadRecords()).isEqualTo(7);
        assertThat(found.processorShare()).isEqualTo(0.5);
        assertThat(found.handlersBusy()).as("not told").isNaN();
    }

    @Test
    void handlersAreBusyWhereTheyAreNotIdle() {
        Circumstances found =
                Circumstances.between(
                        List.of(idle(0, 100), idle(0, 7)),
                        List.of(idle(10, 108), idle(20, 23)),
                        0,
                        0.9,
                        Map.of());

        assertThat(found.handlersBusy()).isCloseTo(0.2, within(1e-9));
        assertThat(found.busyOverIdle()).isCloseTo(0.25, within(1e-9));
    }

    private static TimedScrape idle(long second, double seconds) {
        return new TimedScrape(
                Scrape.of(
                        "kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_seconds_total"
                            + " "
                                + seconds
                                + "\n"),
                second * SECOND,
                1);
    }

    @Test
    void aBrokerThatWasStartedAnewLeavesNothingToSay() {
        Circumstances found =
                Circumstances.between(
                        List.of(page(0, 1_000, 1), page(0, 5_000, 2)),
                        List.of(page(10, 9_000, 3), page(10, 20, 0.1)),
                        7,
                        0.5,
                        Map.of());

        assertThat(found.produceRequests()).isNaN();
        assertThat(found.queueMillis()).isNaN();
        assertThat(found.loadRecords()).isEqualTo(7);
    }

    @Test
    void neitherDoesOneThatDidNotAnswer() {
        assertThat(
                        Circumstances.between(List.of(page(0, 1, 1)), List.of(), 7, 0.5, Map.of())
                                .produceRequests())
                .isNaN();
    }

    private static TimedScrape page(long second, long requests, double waited) {
        return new TimedScrape(
                Scrape.of(
                        "kafka_request_phase_seconds_count{request=\"Produce\",phase=\"total\"} "
                                + requests
                                + "\n"
                                + "kafka_request_phase_seconds_sum{request=\"Produce\",phase=\"request_queue\"}"
                                + " "
                                + waited
                                + "\n"
                                + "kafka_request_phase_seconds_count{request=\"Fetch\",phase=\"total\"}"
                                + " 77\n"),
                second * SECOND,
                1);
    }
}
