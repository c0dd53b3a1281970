/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.exporter.recorder.Totals;
import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows what was recorded of requests as metrics: both forms of the histograms out of the same
 * counts, with those of a family as of one instant.
 */
final class TimingCollector implements MultiCollector {

    /** Left to the scraper: the counts began with the JVM. */
    private static final long BEGIN_NOT_SAID = 0;

    private static final MetricMetadata PHASES = SeriesRegistry.metadata("kafka_request_phase_seconds");
    private static final MetricMetadata CANARY_PHASES = SeriesRegistry.metadata("kafka_canary_request_phase_seconds");
    private static final MetricMetadata REQUESTS = SeriesRegistry.metadata("kafka_requests_total");

    private final RequestTimer timer;

    TimingCollector(RequestTimer timer) {
        this.timer = timer;
    }

    @Override
    public MetricSnapshots collect() {
        List<MetricSnapshot> metrics = new ArrayList<>(timer.readAll(this::all));
        metrics.add(timer.readCanary(
                totals -> new HistogramSnapshot(CANARY_PHASES, histograms(totals, RequestKind.FETCH_FOLLOWER))));
        return new MetricSnapshots(metrics);
    }

    private List<MetricSnapshot> all(Totals totals) {
        List<CounterDataPointSnapshot> requests = new ArrayList<>();
        for (int slot = 0; slot < totals.counters(); slot++) {
            long count = totals.counter(slot);
            if (count > 0) {
                requests.add(
                        new CounterDataPointSnapshot(count, Labels.of("api", timer.api(slot)), null, BEGIN_NOT_SAID));
            }
        }
        return List.of(
                new HistogramSnapshot(PHASES, histograms(totals, null)), new CounterSnapshot(REQUESTS, requests));
    }

    private List<HistogramDataPointSnapshot> histograms(Totals totals, RequestKind except) {
        List<HistogramDataPointSnapshot> series = new ArrayList<>();
        for (RequestKind kind : RequestKind.values()) {
            if (kind != except) {
                for (RequestPhase phase : RequestPhase.values()) {
                    series.add(totals.snapshot(
                            RequestTimer.histogram(kind, phase),
                            Labels.of("request", kind.label, "phase", phase.label)));
                }
            }
        }
        return series;
    }
}
