/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.show.series.SeriesRegistry;
import java.util.Map;
import java.util.function.Supplier;

/** Exports which brokers' agents answer the canary; those that are not asked have no series. */
public final class AgentMetrics {
    /**
     * @param series registers the gauge
     * @param clusters by cluster and broker whether the agent answered the last request, read at every scrape
     */
    public AgentMetrics(SeriesRegistry series, Supplier<Map<String, Map<Integer, Boolean>>> clusters) {
        series.collect(points -> clusters.get()
                .forEach((cluster, brokers) -> brokers.forEach((broker, answered) -> points.add(
                        "kafka_canary_agent_reachable",
                        points.labels("cluster", cluster).add("broker", String.valueOf(broker)),
                        answered ? 1 : 0))));
    }
}
