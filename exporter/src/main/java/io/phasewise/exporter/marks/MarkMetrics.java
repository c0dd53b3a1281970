/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.RecordMark;
import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Shows as metrics what becomes of marks, and passes on those that are whole. */
final class MarkMetrics implements MarkListener {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final String CANARY = "canary";

    /** Why a mark can be dropped. */
    static final List<String> REASONS = List.of("leader_change", "truncation", "deletion", "memory", "switched_off");

    private final Histogram commits;
    private final Histogram acknowledgements;
    private final Counter dropped;
    private final Map<Integer, LongAdder> waits = new ConcurrentHashMap<>();
    private final Consumer<RecordMark> committed;

    /**
     * @param classicSeconds bounds of the classic buckets
     * @param charge called before waits are shown
     * @param committed takes the marks of committed records
     */
    MarkMetrics(PrometheusRegistry registry, double[] classicSeconds, Runnable charge, Consumer<RecordMark> committed) {
        this.committed = committed;
        SeriesRegistry series = new SeriesRegistry(registry);
        commits = series.histogram("kafka_commit_seconds", classicSeconds);
        commits.initLabelValues(CANARY);
        acknowledgements = series.histogram("kafka_replica_ack_seconds", classicSeconds);
        dropped = series.counter("kafka_exporter_marks_dropped_total");
        // From the start: a rate needs a sample before the first drop.
        REASONS.forEach(dropped::initLabelValues);
        series.read("kafka_commit_gated_seconds_total", points -> {
            charge.run();
            waits.forEach((holder, nanos) -> points.add(nanos.sum() / NANOS_PER_SECOND, label(holder), CANARY));
        });
    }

    private static String label(int holder) {
        switch (holder) {
            case PartitionMarks.SEVERAL:
                return "several";
            case PartitionMarks.LEADER:
                return "leader";
            default:
                return Integer.toString(holder);
        }
    }

    @Override
    public void committed(RecordMark mark) {
        commits.labelValues(CANARY).observe((mark.committed - mark.appended) / NANOS_PER_SECOND);
        committed.accept(mark);
    }

    @Override
    public void acknowledged(int follower, long nanosSinceAppend) {
        acknowledgements.labelValues(Integer.toString(follower), CANARY).observe(nanosSinceAppend / NANOS_PER_SECOND);
    }

    @Override
    public void waited(int holder, long nanos) {
        waits.computeIfAbsent(holder, name -> new LongAdder()).add(nanos);
    }

    @Override
    public void dropped(int marks, String reason) {
        dropped.labelValues(reason).inc(marks);
    }
}
