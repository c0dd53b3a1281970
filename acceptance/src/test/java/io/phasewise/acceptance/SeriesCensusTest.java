/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.prometheus.Sample;
import io.phasewise.lab.series.SeriesKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesCensusTest {
    private final List<Sample> groups = new ArrayList<>();

    @Test
    void oneSeriesMoreThanTheBudgetIsToldAndTopicsAreCountedApart() {
        int budget = SeriesKind.BROKER.budget(false);
        broker("within", budget, Map.of());
        for (String topic : List.of("x", "y")) {
            broker("kafka_server_brokertopicmetrics_bytesin", 7, Map.of("topic", topic));
        }
        assertThat(new SeriesCensus(groups).overBudget()).isEmpty();
        assertThat(new SeriesCensus(groups).each(SeriesKind.TOPIC)).isEqualTo(7);

        broker("above", 1, Map.of());
        assertThat(new SeriesCensus(groups).overBudget())
                .containsExactly(
                        (budget + 1) + ".0 series for each broker; the budget is " + budget);
    }

    private void broker(String name, int series, Map<String, String> more) {
        Map<String, String> labels = new HashMap<>(more);
        labels.putAll(Map.of("__name__", name, "job", "kafka-broker", "instance", "b:7071"));
        groups.add(new Sample(labels, Instant.EPOCH, series));
    }
}
