/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.common.marks.MarkPage;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AgentMetricsTest {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final MarkStore store = new MarkStore(new OwnClients(Set.of(), Set.of("")), System::nanoTime);

    AgentMetricsTest() {
        new AgentMetrics(
                new SeriesRegistry(registry, Labels.EMPTY, List.of(0.05)), () -> Map.of("prod", store.reached()));
    }

    private Map<String, Double> shown() {
        Map<String, Double> shown = new TreeMap<>();
        registry.scrape()
                .forEach(all -> ((GaugeSnapshot) all)
                        .getDataPoints()
                        .forEach(point -> shown.put(point.getLabels().toString(), point.getValue())));
        return shown;
    }

    @Test
    void anAgentIsReachableIfItAnsweredTheLastRequest() {
        assertThat(shown()).isEmpty();
        store.of(3);
        store.add(1, MarkPage.second("boot", false, 1, 0));
        store.of(2).silent();
        assertThat(shown())
                .as("one that was never asked has no series")
                .isEqualTo(Map.of("{broker=\"1\",cluster=\"prod\"}", 1.0, "{broker=\"2\",cluster=\"prod\"}", 0.0));

        store.of(1).silent();
        store.retainBrokers(Set.of(1));
        assertThat(shown()).isEqualTo(Map.of("{broker=\"1\",cluster=\"prod\"}", 0.0));
        store.add(1, MarkPage.second("boot", true, 2, 0));
        assertThat(shown()).isEqualTo(Map.of("{broker=\"1\",cluster=\"prod\"}", 1.0));
    }
}
