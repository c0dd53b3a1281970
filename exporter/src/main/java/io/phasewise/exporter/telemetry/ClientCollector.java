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
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Shows what was pushed, and how receiving it goes, as metrics. */
final class ClientCollector implements MultiCollector {

    private static final MetricMetadata INSTANCES =
            new MetricMetadata("kafka_client_instances", "Clients that push to this broker");
    private static final MetricMetadata ACTIVE =
            new MetricMetadata(
                    "kafka_exporter_client_telemetry_active",
                    "1 once the broker hands over what clients push: metric.reporters names the"
                            + " receiver");
    private static final MetricMetadata PUSHES =
            new MetricMetadata(
                    "kafka_exporter_client_pushes", "Pushes of clients, by what became of them");
    private static final MetricMetadata BYTES =
            new MetricMetadata(
                    "kafka_exporter_client_push_bytes",
                    "Bytes of pushes that were accepted, decompressed");

    private static final MetricMetadata MEMORY =
            new MetricMetadata(
                    "kafka_exporter_client_memory_bytes",
                    "Bytes of the broker's heap held for what clients push, an upper bound",
                    Unit.BYTES);
    private static final MetricMetadata MEMORY_LIMIT =
            new MetricMetadata(
                    "kafka_exporter_client_memory_limit_bytes",
                    "Bytes that may be held for what clients push: clients.max-memory-bytes",
                    Unit.BYTES);
    private static final MetricMetadata REFUSED =
            new MetricMetadata(
                    "kafka_exporter_client_refused",
                    "What was not kept of clients that push, by what there was no room for");

    private final ClientLedger ledger;
    private final PushCounts counts;

    ClientCollector(ClientLedger ledger, PushCounts counts) {
        this.ledger = ledger;
        this.counts = counts;
    }

    @Override
    public MetricSnapshots collect() {
        List<MetricSnapshot> metrics = new ArrayList<>();
        metrics.add(
                new GaugeSnapshot(
                        ACTIVE,
                        List.of(
                                new GaugeDataPointSnapshot(
                                        counts.isActive() ? 1 : 0, Labels.EMPTY, null))));
        List<CounterDataPointSnapshot> pushes = new ArrayList<>();
        for (PushCounts.Result result : PushCounts.Result.values()) {
            pushes.add(
                    new CounterDataPointSnapshot(
                            counts.of(result), Labels.of("result", result.label()), null, 0));
        }
        metrics.add(new CounterSnapshot(PUSHES, pushes));
        metrics.add(
                new CounterSnapshot(
                        BYTES,
                        List.of(
                                new CounterDataPointSnapshot(
                                        counts.bytes(), Labels.EMPTY, null, 0))));
        metrics.addAll(memory());
        if (counts.isActive()) {
            metrics.addAll(clients());
        }
        return new MetricSnapshots(metrics);
    }

    private List<MetricSnapshot> memory() {
        ClientMemory memory = ledger.memory();
        List<GaugeDataPointSnapshot> used = new ArrayList<>();
        for (ClientMemory.Use use : ClientMemory.Use.values()) {
            used.add(
                    new GaugeDataPointSnapshot(
                            memory.used(use), Labels.of("use", use.label()), null));
        }
        List<CounterDataPointSnapshot> refused = new ArrayList<>();
        for (ClientMemory.Refusal refusal : ClientMemory.Refusal.values()) {
            refused.add(
                    new CounterDataPointSnapshot(
                            memory.refused(refusal),
                            Labels.of("reason", refusal.label()),
                            null,
                            0));
        }
        return List.of(
                new GaugeSnapshot(MEMORY, used),
                new GaugeSnapshot(
                        MEMORY_LIMIT,
                        List.of(new GaugeDataPointSnapshot(memory.most(), Labels.EMPTY, null))),
                new CounterSnapshot(REFUSED, refused));
    }

    private List<MetricSnapshot> clients() {
        Map<Signal, List<GaugeDataPointSnapshot>> gauges = new EnumMap<>(Signal.class);
        Map<Signal, List<CounterDataPointSnapshot>> counters = new EnumMap<>(Signal.class);
        Map<Signal, List<SummaryDataPointSnapshot>> means = new EnumMap<>(Signal.class);
        List<GaugeDataPointSnapshot> instances = new ArrayList<>();
        ledger.read(
                (series, living) -> {
                    instances.add(new GaugeDataPointSnapshot(living.size(), series.labels(), null));
                    for (Signal signal : Signal.values()) {
                        if (signal.kind().isGauge()) {
                            double value = fold(signal, living);
                            if (!Double.isNaN(value)) {
                                of(gauges, signal)
                                        .add(
                                                new GaugeDataPointSnapshot(
                                                        value, series.labels(), null));
                            }
                        } else if (series.knows(signal)) {
                            if (signal.kind() == Signal.Kind.MEAN) {
                                of(means, signal).add(mean(signal, series));
                            } else {
                                of(counters, signal).add(total(signal, series));
                            }
                        }
                    }
                });
        List<MetricSnapshot> all = new ArrayList<>();
        gauges.forEach((signal, points) -> all.add(new GaugeSnapshot(signal.metadata(), points)));
        counters.forEach(
                (signal, points) -> all.add(new CounterSnapshot(signal.metadata(), points)));
        means.forEach((signal, points) -> all.add(new SummarySnapshot(signal.metadata(), points)));
        if (!instances.isEmpty()) {
            all.add(new GaugeSnapshot(INSTANCES, instances));
        }
        return all;
    }

    private static <T> List<T> of(Map<Signal, List<T>> points, Signal signal) {
        return points.computeIfAbsent(signal, none -> new ArrayList<>());
    }

    private static SummaryDataPointSnapshot mean(Signal signal, ClientSeries series) {
        return new SummaryDataPointSnapshot(
                Math.round(series.count(signal)),
                series.sum(signal),
                Quantiles.EMPTY,
                series.labels(),
                Exemplars.EMPTY,
                series.createdMillis());
    }

    private static CounterDataPointSnapshot total(Signal signal, ClientSeries series) {
        return new CounterDataPointSnapshot(
                series.sum(signal), series.labels(), null, series.createdMillis());
    }

    private static double fold(Signal signal, Collection<ClientInstance> living) {
        double folded = Double.NaN;
        for (ClientInstance instance : living) {
            double value = instance.gauge(signal);
            if (Double.isNaN(folded)) {
                folded = value;
            } else if (!Double.isNaN(value)) {
                folded = fold(signal.kind(), folded, value);
            }
        }
        return folded;
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
}
