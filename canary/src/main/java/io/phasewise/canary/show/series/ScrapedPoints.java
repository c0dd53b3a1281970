/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.series;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/** The counters and gauges of one scrape, filled point by point. */
public final class ScrapedPoints {
    private final Map<String, Series> declared;
    private final Labels everywhere;
    private final Map<Series, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<Series, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();

    ScrapedPoints(Map<String, Series> declared, Labels everywhere) {
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
        Series series = declared.get(name);
        if (series.isCounter()) {
            counters.computeIfAbsent(series, ScrapedPoints::counter)
                    .dataPoint(
                            CounterDataPointSnapshot.builder().labels(labels).value(value).build());
        } else {
            gauges.computeIfAbsent(series, ScrapedPoints::gauge)
                    .dataPoint(
                            GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
        }
    }

    private static CounterSnapshot.Builder counter(Series series) {
        String name = series.name().replaceFirst("_total$", "");
        return CounterSnapshot.builder().name(name).help(series.help());
    }

    private static GaugeSnapshot.Builder gauge(Series series) {
        return GaugeSnapshot.builder().name(series.name()).help(series.help());
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach(each -> all.metricSnapshot(each.build()));
        gauges.values().forEach(each -> all.metricSnapshot(each.build()));
        return all.build();
    }
}
