/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.lab.measure.Scrape;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TurnConditionsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final WorkCounters START = counters(7, 400, 10, 50_000, 100, 1_000);
    private static final TimedScrape CANARY = canary(0, 0);

    private static WorkCounters counters(
            long second, long acknowledged, long failed, double bytes, long busy, long ticks) {
        return new WorkCounters(Instant.EPOCH, second * SECOND, acknowledged, failed, bytes, busy, ticks);
    }

    private static TimedScrape canary(double late, long probes) {
        String name = "kafka_canary_schedule_lag_seconds";
        String page = "%s_sum %s\n%s_count %d\n".formatted(name, late, name, probes);
        return new TimedScrape(Scrape.of(page), 0, 40 + probes);
    }

    private static Map<String, Double> figures(List<TimedScrape> before, List<TimedScrape> after) {
        return TurnConditions.between(
                        new TurnConditions.Pages(CANARY, before),
                        new TurnConditions.Pages(canary(0.003, 2), after),
                        START,
                        counters(10, 1_000, 16, 125_000, 160, 1_200))
                .figures();
    }

    @Test
    void loadAndProcessorsAreCountedByTheTimeBetweenTheTwoInstants() {
        Map<String, Double> found = figures(List.of(), List.of());

        assertThat(found)
                .containsEntry("load records/s", 200.0)
                .containsEntry("load failed/s", 2.0)
                .containsEntry("load bytes sent a record", 125.0)
                .containsEntry("processors busy, %", 30.0)
                .containsEntry("canary page, ms", 42.0);
        assertThat(found.get("canary late, mean ms")).isCloseTo(1.5, within(1e-9));
        assertThat(found.get("produce requests/s")).as("nobody was asked").isNaN();
        assertThat(found.get("slowest exporter page, ms")).isNaN();
    }

    @Test
    void everyBrokersRateIsOverTheTimeBetweenItsOwnReadings() {
        // Ten seconds lie between the first broker's pages, twenty between those of the second,
        // which was slow to answer.
        Map<String, Double> found =
                figures(List.of(page(0, 1_000, 1), page(1, 5_000, 2)), List.of(page(10, 2_000, 3), page(21, 6_000, 8)));

        assertThat(found.get("produce requests/s")).isCloseTo(100 + 50, within(1e-9));
        assertThat(found.get("queue, ms")).isCloseTo((2 + 6) / 2_000.0 * 1e3, within(1e-9));
        assertThat(found.get("waiting (Little)")).isCloseTo(150 * 4e-3, within(1e-9));
        assertThat(found.get("handlers busy, %")).as("not told").isNaN();
        assertThat(found.get("slowest exporter page, ms")).isEqualTo(21);
    }

    @Test
    void handlersAreBusyWhereTheyAreNotIdle() {
        Map<String, Double> found = figures(List.of(idle(0, 100), idle(0, 7)), List.of(idle(10, 108), idle(20, 23)));

        assertThat(found.get("handlers busy, %")).isCloseTo(20, within(1e-9));
        assertThat(found.get("busy over idle")).isCloseTo(0.25, within(1e-9));
    }

    private static TimedScrape idle(long second, double seconds) {
        String name = "kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_seconds_total";
        return new TimedScrape(Scrape.of(name + " " + seconds + "\n"), second * SECOND, 1);
    }

    @Test
    void ofABrokerThatWasRestartedOrDidNotAnswerNothingIsSaidOfAny() {
        List<TimedScrape> before = List.of(page(0, 1_000, 1), page(0, 5_000, 2));
        List<TimedScrape> restarted = List.of(page(10, 9_000, 3), page(10, 20, 0.1));

        for (List<TimedScrape> after : List.of(restarted, List.<TimedScrape>of())) {
            Map<String, Double> found = figures(before, after);

            assertThat(found.get("produce requests/s")).isNaN();
            assertThat(found.get("queue, ms")).isNaN();
            assertThat(found.get("handlers busy, %")).isNaN();
            assertThat(found).containsEntry("load records/s", 200.0);
        }
    }

    @Test
    void ofSeveralTurnsThereIsTheMeanInTheSameOrder() {
        TurnConditions mean = TurnConditions.mean(
                List.of(new TurnConditions(Map.of("a", 1.0)), new TurnConditions(Map.of("a", 4.0))));

        assertThat(mean.figures()).isEqualTo(Map.of("a", 2.5));
        assertThat(figures(List.of(), List.of()).keySet())
                .startsWith("load records/s", "load failed/s")
                .endsWith("canary late, mean ms");
    }

    private static TimedScrape page(long second, long requests, double waited) {
        String series = """
                kafka_request_phase_seconds_count{request="Produce",phase="total"} %d
                kafka_request_phase_seconds_sum{request="Produce",phase="request_queue"} %s
                kafka_request_phase_seconds_count{request="Fetch",phase="total"} 77
                """;
        return new TimedScrape(Scrape.of(series.formatted(requests, waited)), second * SECOND, second);
    }
}
