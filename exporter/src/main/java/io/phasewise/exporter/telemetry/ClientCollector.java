/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Shows what was pushed as metrics. */
final class ClientCollector implements MultiCollector {

    private static final MetricMetadata INSTANCES = SeriesRegistry.metadata("kafka_client_instances");
    private final ClientLedger ledger;

    ClientCollector(ClientLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public MetricSnapshots collect() {
        return new MetricSnapshots(ledger.read(ClientCollector::clients));
    }

    private static List<MetricSnapshot> clients(Map<ClientSeries, List<ClientInstance>> living) {
        List<MetricSnapshot> all = new ArrayList<>();
        List<GaugeDataPointSnapshot> instances = new ArrayList<>();
        living.forEach((series, its) -> instances.add(gauge(series, its.size())));
        all.add(new GaugeSnapshot(INSTANCES, instances));
        ClientMetrics.SIGNALS.forEach(signal -> all.add(metric(signal, living)));
        all.removeIf(metric -> metric.getDataPoints().isEmpty());
        return all;
    }

    private static MetricSnapshot metric(Signal signal, Map<ClientSeries, List<ClientInstance>> living) {
        switch (signal.kind) {
            case MEAN:
                return new SummarySnapshot(signal.metadata, counted(signal, living, series -> mean(signal, series)));
            case TOTAL:
            case PUSHES:
                return new CounterSnapshot(signal.metadata, counted(signal, living, series -> total(signal, series)));
            default:
                List<GaugeDataPointSnapshot> points = new ArrayList<>();
                living.forEach(
                        (series, its) -> folded(signal, its).ifPresent(value -> points.add(gauge(series, value))));
                return new GaugeSnapshot(signal.metadata, points);
        }
    }

    /** One value of all clients that say any. */
    private static OptionalDouble folded(Signal signal, List<ClientInstance> instances) {
        double[] values = instances.stream()
                .mapToDouble(instance -> instance.gauge(signal))
                .filter(value -> !Double.isNaN(value))
                .toArray();
        OptionalDouble all = DoubleStream.of(values).reduce(signal.kind.fold);
        return signal.kind == Signal.Kind.UNCOUNTED ? DoubleStream.of(values).average() : all;
    }

    /** Of the series that have ever counted it. */
    private static <P> List<P> counted(
            Signal signal, Map<ClientSeries, List<ClientInstance>> living, Function<ClientSeries, P> point) {
        return living.keySet().stream()
                .filter(series -> series.knows(signal))
                .map(point)
                .collect(Collectors.toList());
    }

    private static GaugeDataPointSnapshot gauge(ClientSeries series, double value) {
        return new GaugeDataPointSnapshot(value, series.labels, null);
    }

    private static SummaryDataPointSnapshot mean(Signal signal, ClientSeries series) {
        return new SummaryDataPointSnapshot(
                Math.round(series.count(signal)),
                series.sum(signal),
                Quantiles.EMPTY,
                series.labels,
                Exemplars.EMPTY,
                series.createdMillis);
    }

    private static CounterDataPointSnapshot total(Signal signal, ClientSeries series) {
        return new CounterDataPointSnapshot(series.sum(signal), series.labels, null, series.createdMillis);
    }
}
