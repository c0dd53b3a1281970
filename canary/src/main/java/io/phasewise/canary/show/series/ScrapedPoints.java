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
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The counters and gauges of one scrape, filled point by point. */
public final class ScrapedPoints {
    private final Map<String, Series> declared;
    private final Labels everywhere;
    private final Map<Series, List<Point>> bySeries = new LinkedHashMap<>();

    private record Point(Labels labels, double value) {
        GaugeDataPointSnapshot gauge() {
            return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
        }

        CounterDataPointSnapshot counter() {
            return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
        }
    }

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
        if (!Double.isNaN(value)) {
            bySeries.computeIfAbsent(declared.get(name), series -> new ArrayList<>())
                    .add(new Point(labels, value));
        }
    }

    MetricSnapshots snapshots() {
        return new MetricSnapshots(
                bySeries.entrySet().stream()
                        .map(each -> snapshot(each.getKey(), each.getValue()))
                        .toList());
    }

    private static MetricSnapshot snapshot(Series series, List<Point> points) {
        if (series.isCounter()) {
            CounterSnapshot.Builder counter =
                    CounterSnapshot.builder()
                            .name(series.name().replaceFirst("_total$", ""))
                            .help(series.help());
            points.forEach(point -> counter.dataPoint(point.counter()));
            return counter.build();
        }
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name(series.name()).help(series.help());
        points.forEach(point -> gauge.dataPoint(point.gauge()));
        return gauge.build();
    }
}
