/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Shows what was pushed as metrics. */
final class ClientCollector implements MultiCollector {

    private static final MetricMetadata INSTANCES =
            new MetricMetadata("kafka_client_instances", "Clients that push to this broker.");
    private final ClientLedger ledger;

    ClientCollector(ClientLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public MetricSnapshots collect() {
        return new MetricSnapshots(ledger.read(ClientCollector::clients));
    }

    private static GaugeDataPointSnapshot point(double value, Labels labels) {
        return new GaugeDataPointSnapshot(value, labels, null);
    }

    private static List<MetricSnapshot> clients(Map<ClientSeries, List<ClientInstance>> living) {
        if (living.isEmpty()) {
            return List.of();
        }
        List<MetricSnapshot> all = new ArrayList<>();
        List<GaugeDataPointSnapshot> instances = new ArrayList<>();
        living.forEach((series, its) -> instances.add(point(its.size(), series.labels)));
        all.add(new GaugeSnapshot(INSTANCES, instances));
        for (Signal signal : ClientMetrics.SIGNALS) {
            all.add(
                    signal.kind.isGauge()
                            ? gauges(signal, living)
                            : signal.kind == Signal.Kind.MEAN
                                    ? means(signal, living.keySet())
                                    : totals(signal, living.keySet()));
        }
        all.removeIf(metric -> metric.getDataPoints().isEmpty());
        return all;
    }

    private static MetricSnapshot gauges(
            Signal signal, Map<ClientSeries, List<ClientInstance>> living) {
        List<GaugeDataPointSnapshot> points = new ArrayList<>();
        living.forEach(
                (series, its) ->
                        its.stream()
                                .mapToDouble(instance -> instance.gauge(signal))
                                .filter(value -> !Double.isNaN(value))
                                .reduce((a, b) -> fold(signal.kind, a, b))
                                .ifPresent(value -> points.add(point(value, series.labels))));
        return new GaugeSnapshot(signal.metadata, points);
    }

    private static double fold(Signal.Kind kind, double folded, double value) {
        switch (kind) {
            case HIGHEST:
                return Math.max(folded, value);
            case LOWEST:
                return Math.min(folded, value);
            default:
                return folded + value;
        }
    }

    private static MetricSnapshot means(Signal signal, Set<ClientSeries> all) {
        List<SummaryDataPointSnapshot> points = new ArrayList<>();
        for (ClientSeries series : all) {
            if (series.knows(signal)) {
                points.add(
                        new SummaryDataPointSnapshot(
                                Math.round(series.count(signal)),
                                series.sum(signal),
                                Quantiles.EMPTY,
                                series.labels,
                                Exemplars.EMPTY,
                                series.createdMillis));
            }
        }
        return new SummarySnapshot(signal.metadata, points);
    }

    private static MetricSnapshot totals(Signal signal, Set<ClientSeries> all) {
        List<CounterDataPointSnapshot> points = new ArrayList<>();
        for (ClientSeries series : all) {
            if (series.knows(signal)) {
                points.add(
                        new CounterDataPointSnapshot(
                                series.sum(signal), series.labels, null, series.createdMillis));
            }
        }
        return new CounterSnapshot(signal.metadata, points);
    }
}
