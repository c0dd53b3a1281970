/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.marks.MissingMarkReason;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.trace.TraceRule;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongPredicate;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The series of one cluster and profile; a label set is looked up once, not per probe. Thread-safe.
 */
public final class ClusterMetrics {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String OFFSET_COMMIT = "kafka_canary_offset_commit_latency_seconds";
    private static final String REBALANCE = "kafka_canary_rebalance_latency_seconds";
    private static final String REBALANCES = "kafka_canary_rebalances_total";

    private final SeriesRegistry series;
    private final String cluster;
    private final String profile;
    private final DistributionDataPoint scheduleLag;
    private final DistributionDataPoint laneWait;
    private final CounterDataPoint otherCanary;
    private final CounterDataPoint foreign;

    ClusterMetrics(SeriesRegistry series, String cluster, String profile) {
        this.series = series;
        this.cluster = cluster;
        this.profile = profile;
        this.scheduleLag = histogram("kafka_canary_schedule_lag_seconds");
        this.laneWait = histogram("kafka_canary_lane_wait_seconds");
        this.otherCanary = ignoredRecords(ProbeCodec.Kind.OTHER_CANARY);
        this.foreign = ignoredRecords(ProbeCodec.Kind.FOREIGN);
    }

    private DistributionDataPoint histogram(String name) {
        return series.histogram(name).labelValues(cluster, profile);
    }

    private CounterDataPoint ignoredRecords(ProbeCodec.Kind kind) {
        return series.counter("kafka_canary_ignored_records_total")
                .labelValues(cluster, profile, kind.name().toLowerCase(Locale.ROOT));
    }

    /**
     * Records one leader's latencies, in the exported histograms and in a recent window.
     *
     * @param leader broker id
     * @param window the same figures for the status page
     * @param stalled says of a latency that ends now whether the canary was stalled within it
     * @param target probes that took longer are shown as exemplars first, and the time that they
     *     spend in each phase is counted
     * @param instance of the canary that sends the probes, part of their ids
     * @param traces says which probes become traces: only those are shown as exemplars then, with
     *     the name of the trace; null when no probe becomes one
     */
    public LeaderRecorder leader(
            int leader, RecentWindow window, LongPredicate stalled, Duration target, long instance, TraceRule traces) {
        return new LeaderRecorder(series, labels(leader), window, stalled, target, instance, traces);
    }

    /** Ends the series of a leader. Should it come back they begin at zero, as after a restart. */
    public void forget(int leader) {
        series.forget(cluster, profile, leader);
    }

    private String[] labels(int leader) {
        return new String[] {cluster, profile, String.valueOf(leader)};
    }

    static String[] with(String[] labels, String more) {
        String[] extended = Arrays.copyOf(labels, labels.length + 1);
        extended[labels.length] = more;
        return extended;
    }

    /**
     * A probe was given a lane.
     *
     * @param nanos how long it had waited for it
     */
    public void laneWait(long nanos) {
        laneWait.observe(nanos / NANOS_PER_SECOND);
    }

    /** The consumer is a member of a group: its series exist from now on, at zero. */
    public void joinsGroup() {
        histogram(OFFSET_COMMIT);
        histogram(REBALANCE);
        series.counter(REBALANCES).initLabelValues(cluster, profile);
    }

    /**
     * Offsets were committed.
     *
     * @param nanos how long it took
     */
    public void committed(long nanos) {
        histogram(OFFSET_COMMIT).observe(nanos / NANOS_PER_SECOND);
    }

    /**
     * A rebalance is over.
     *
     * @param nanos how long it took
     */
    public void rebalanced(long nanos) {
        series.counter(REBALANCES).labelValues(cluster, profile).inc();
        histogram(REBALANCE).observe(nanos / NANOS_PER_SECOND);
    }

    /**
     * A probe's phases are estimates, though its leader's exporter is configured.
     *
     * @param leader broker id
     */
    public void unmarked(MissingMarkReason reason, int leader) {
        series.counter("kafka_canary_unmarked_probes_total")
                .labelValues(with(labels(leader), reason.label()))
                .inc();
    }

    /**
     * A broker's exporter had dropped marks before they were read.
     *
     * @param count how many, 0 or more: the series exists from the first answer on
     */
    public void missedMarks(int broker, long count) {
        series.counter("kafka_canary_marks_missed_total")
                .labelValues(labels(broker))
                .inc(count);
    }

    /**
     * A probe was handed to the producer.
     *
     * @param nanos how long after it was due
     */
    public void scheduleLag(long nanos) {
        scheduleLag.observe(nanos / NANOS_PER_SECOND);
    }

    /**
     * A record was no probe of this canary.
     *
     * @param kind whose it is
     */
    public void ignored(ProbeCodec.Kind kind) {
        (kind == ProbeCodec.Kind.OTHER_CANARY ? otherCanary : foreign).inc();
    }

    /**
     * A Kafka client, or a thread of the canary's own, failed at something. A time-out for which
     * Kafka gives a cause, such as a topic that is gone, counts as that cause.
     *
     * @param client producer, consumer or admin; or the thread: scheduler, reader, pinger, keeper,
     *     ticker, marks, metrics, hiccups, state-file
     * @param failure what it threw
     */
    public void error(String client, Throwable failure) {
        Throwable reason = failure instanceof TimeoutException && failure.getCause() instanceof ApiException
                ? failure.getCause()
                : failure;
        series.counter("kafka_canary_errors_total")
                .labelValues(cluster, profile, client, reason.getClass().getSimpleName())
                .inc();
    }
}
