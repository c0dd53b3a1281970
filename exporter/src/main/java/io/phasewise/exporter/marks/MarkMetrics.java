/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.RecordMark;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Shows as metrics what becomes of marks, and passes on those that are whole. */
final class MarkMetrics implements MarkListener {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final String CANARY = "canary";

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
    MarkMetrics(
            PrometheusRegistry registry,
            double[] classicSeconds,
            Runnable charge,
            Consumer<RecordMark> committed) {
        this.committed = committed;
        commits =
                Histogram.builder()
                        .name("kafka_commit_seconds")
                        .help(
                                "Time from the append of the canary's records to their commit, at"
                                        + " their leader. One observation for each produced batch.")
                        .unit(Unit.SECONDS)
                        .labelNames("records")
                        .classicUpperBounds(classicSeconds)
                        .register(registry);
        commits.initLabelValues(CANARY);
        acknowledgements =
                Histogram.builder()
                        .name("kafka_replica_ack_seconds")
                        .help(
                                "Time from the append of the canary's records until their leader"
                                        + " received the follower's fetch that acknowledges them.")
                        .unit(Unit.SECONDS)
                        .labelNames("follower", "records")
                        .classicUpperBounds(classicSeconds)
                        .register(registry);
        dropped =
                Counter.builder()
                        .name("kafka_exporter_marks_dropped_total")
                        .help(
                                "Records whose commit is not known, by reason: leader_change,"
                                        + " truncation, deletion, memory, switched_off.")
                        .labelNames("reason")
                        .register(registry);
        CounterWithCallback.builder()
                .name("kafka_commit_gated_seconds_total")
                .help(
                        "Time that the canary's records waited for their commit, charged while it"
                            + " lasts: to the one follower that lacked them, to several, or to the"
                            + " leader (all followers had them, or the leader's JVM was paused).")
                .labelNames("follower", "records")
                .callback(
                        metric -> {
                            charge.run();
                            waits.forEach(
                                    (holder, nanos) ->
                                            metric.call(
                                                    nanos.sum() / NANOS_PER_SECOND,
                                                    label(holder),
                                                    CANARY));
                        })
                .register(registry);
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
        acknowledgements
                .labelValues(Integer.toString(follower), CANARY)
                .observe(nanosSinceAppend / NANOS_PER_SECOND);
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
