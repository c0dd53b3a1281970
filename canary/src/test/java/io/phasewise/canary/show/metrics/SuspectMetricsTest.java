/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.suspect.Suspect;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.ClusterSuspects;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SuspectMetricsTest {
    private static ClusterSuspects suspects(String cluster, boolean judged, Suspect... named) {
        return ClusterSuspects.of(cluster, List.of(named), judged, 20, Instant.EPOCH::plusNanos);
    }

    private static Map<String, Double> shown(ClusterSuspects... clusters) {
        PrometheusRegistry registry = new PrometheusRegistry();
        new SuspectMetrics(new SeriesRegistry(registry, Labels.EMPTY, List.of(0.05)), () -> List.of(clusters));
        Map<String, Double> shown = new TreeMap<>();
        registry.scrape()
                .forEach(all -> ((GaugeSnapshot) all)
                        .getDataPoints()
                        .forEach(point -> shown.put(
                                all.getMetadata().getPrometheusName() + point.getLabels(), point.getValue())));
        return shown;
    }

    @Test
    void whetherProbesHaveBeenJudgedIsSaidOfEveryClusterAlsoWhereNobodyIsNamed() {
        assertThat(shown(suspects("new", false), suspects("well", true)))
                .isEqualTo(Map.of(
                        "kafka_canary_suspects_judged{cluster=\"new\"}", 0.0,
                        "kafka_canary_suspects_judged{cluster=\"well\"}", 1.0));
    }

    @Test
    void aSuspectHasASeriesForEachPhase() {
        Suspect disk = new Suspect(2, Role.DISK, Map.of(Phase.PUBLISH, 0.5), List.of(2), 0);
        assertThat(shown(suspects("prod", true, disk)))
                .containsOnlyKeys(
                        "kafka_canary_suspects_judged{cluster=\"prod\"}",
                        "kafka_canary_suspect_seconds{broker=\"2\",cluster=\"prod\",phase=\"publish\",role=\"disk\",who=\"Broker 2, its disk\"}");
    }
}
