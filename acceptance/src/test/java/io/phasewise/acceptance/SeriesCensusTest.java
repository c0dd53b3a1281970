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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesCensusTest {
    private final List<Sample> groups = new ArrayList<>();

    @Test
    void topicsAndClientsOfABrokerAreCountedApart() {
        broker("up", 1);
        for (String topic : List.of("x", "y")) {
            broker("kafka_server_brokertopicmetrics_topic_bytesin_total", 7, "topic", topic);
        }
        broker("kafka_client_instances", 3, "client_id", "c", "software_name", "java");
        broker("kafka_client_instances", 5);

        SeriesCensus census = census();

        assertThat(census.count(SeriesKind.BROKER).series()).isEqualTo(1);
        assertThat(census.count(SeriesKind.TOPIC).each()).isEqualTo(7);
        assertThat(census.count(SeriesKind.CLIENT).each()).isEqualTo(4);
    }

    @Test
    void aSeriesForEachBucketIsClassic() {
        for (String part : List.of("bucket", "sum", "count")) {
            broker("kafka_request_phase_seconds_" + part, 2);
        }

        assertThat(census().isClassic()).isTrue();
    }

    @Test
    void oneSeriesMoreThanTheBudgetIsTold() {
        int budget = SeriesKind.BROKER.budget(false);
        broker("within", budget);
        assertThat(census().overBudget()).isEmpty();

        broker("above", 1);
        assertThat(census().overBudget())
                .containsExactly(
                        (budget + 1) + ".0 series for each broker; the budget is " + budget + ".0");
    }

    @Test
    void aMirroredProfileAndItsLeadersMayHaveMore() {
        String[] own = {"cluster", "a", "profile", "own", "leader", "1"};
        String[] mirrored = {"cluster", "a", "profile", "to-b", "leader", "1"};
        canary("of_a_leader", SeriesKind.LEADER.budget(false), own);
        canary("of_a_leader", SeriesKind.LEADER.budget(false) + 21, mirrored);
        canary("of_a_profile", SeriesKind.PROFILE.budget(false), Arrays.copyOf(own, 4));
        canary("of_a_profile", SeriesKind.PROFILE.budget(false) + 62, Arrays.copyOf(mirrored, 4));
        assertThat(census().overBudget()).hasSize(2);

        canary("kafka_canary_mirror_latency_seconds", 1, mirrored);
        assertThat(census().overBudget()).isEmpty();
        assertThat(census().budget(SeriesKind.PROFILE)).isEqualTo(260 + 62 / 2.0);

        canary("of_a_profile_too", 1, Arrays.copyOf(own, 4));
        assertThat(census().overBudget())
                .containsExactly(
                        "291.5 series for each cluster and profile of a canary; the budget is"
                                + " 291.0");
    }

    private SeriesCensus census() {
        return SeriesCensus.of(groups);
    }

    private void canary(String name, int series, String... labels) {
        Sample group = group(name, series, labels);
        group.labels().putAll(Map.of("job", "kafka-canary", "instance", "canary:9470"));
        groups.add(group);
    }

    private void broker(String name, int series, String... labels) {
        Sample group = group(name, series, labels);
        group.labels().putAll(Map.of("job", "kafka-broker", "instance", "b:7071", "broker", "1"));
        groups.add(group);
    }

    private static Sample group(String name, int series, String... labels) {
        Map<String, String> all = new HashMap<>(Map.of("__name__", name));
        for (int i = 0; i < labels.length; i += 2) {
            all.put(labels[i], labels[i + 1]);
        }
        return new Sample(all, Instant.EPOCH, series);
    }
}
