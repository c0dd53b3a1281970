/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.series;

import io.phasewise.common.series.DeclaredSeries;
import io.phasewise.common.series.SeriesTable;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The counters and gauges of one scrape, filled point by point. */
public final class ScrapedPoints {
    private final SeriesTable declared;
    private final Labels everywhere;
    private final Map<DeclaredSeries, List<CounterDataPointSnapshot>> counters = new LinkedHashMap<>();
    private final Map<DeclaredSeries, List<GaugeDataPointSnapshot>> gauges = new LinkedHashMap<>();

    ScrapedPoints(SeriesTable declared, Labels everywhere) {
        this.declared = declared;
        this.everywhere = everywhere;
    }

    /** Labels and their values, with those that all series carry. */
    public Labels labels(String... own) {
        return everywhere.merge(Labels.of(own));
    }

    /**
     * Adds a point.
     *
     * @param name of the series
     * @param labels begun by {@link #labels}
     * @param value NaN for one that is not known, which is left out
     */
    public void add(String name, Labels labels, double value) {
        if (Double.isNaN(value)) {
            return;
        }
        DeclaredSeries series = declared.get(name);
        if (series.type().equals("counter")) {
            counters.computeIfAbsent(series, each -> new ArrayList<>())
                    .add(new CounterDataPointSnapshot(value, labels, null, 0));
        } else {
            gauges.computeIfAbsent(series, each -> new ArrayList<>())
                    .add(new GaugeDataPointSnapshot(value, labels, null));
        }
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.forEach((series, points) -> all.metricSnapshot(new CounterSnapshot(metadata(series), points)));
        gauges.forEach((series, points) -> all.metricSnapshot(new GaugeSnapshot(metadata(series), points)));
        return all.build();
    }

    /** As Prometheus's client has it: it adds a counter's {@code _total} itself. */
    private static MetricMetadata metadata(DeclaredSeries series) {
        return new MetricMetadata(series.name().replaceFirst("_total$", ""), series.help());
    }
}
