/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.show.series.ScrapedPoints;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.ClusterSuspects;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.function.Supplier;

/**
 * Exports who is suspected: a series for each suspect and phase, while it is named; and whether somebody could be named,
 * without which nobody's being named says nothing.
 */
public final class SuspectMetrics {
    /** The broker of a suspect that is none. */
    static final String NO_BROKER = "none";

    /**
     * @param series registers the gauges
     * @param clusters read at every scrape
     */
    public SuspectMetrics(SeriesRegistry series, Supplier<List<ClusterSuspects>> clusters) {
        series.collect(points -> clusters.get().forEach(cluster -> add(cluster, points)));
    }

    private static void add(ClusterSuspects of, ScrapedPoints points) {
        points.add("kafka_canary_suspects_judged", points.labels("cluster", of.cluster()), of.judged() ? 1 : 0);
        for (ClusterSuspects.Named suspect : of.suspects()) {
            Labels labels = points.labels("cluster", of.cluster())
                    .add("broker", suspect.broker() == null ? NO_BROKER : String.valueOf(suspect.broker()))
                    .add("role", suspect.role().label())
                    .add("who", suspect.who());
            suspect.excess()
                    .forEach((phase, seconds) ->
                            points.add("kafka_canary_suspect_seconds", labels.add("phase", phase.label()), seconds));
        }
    }
}
