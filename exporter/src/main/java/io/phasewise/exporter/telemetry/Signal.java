/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;

/** A metric of this endpoint that is made of what clients push. */
enum Signal {
    PRODUCER_REQUEST_LATENCY(
            Kind.MEAN,
            "producer_request_latency",
            Unit.SECONDS,
            "Time of produce requests as producers see it, mean times requests",
            Source.PRODUCER_REQUESTS,
            Source.PRODUCER_REQUEST_LATENCY_AVG,
            Source.PRODUCER_NODE_REQUEST_LATENCY_AVG),
    PRODUCER_REQUEST_LATENCY_MAX(
            Kind.HIGHEST,
            "producer_request_latency_max",
            Unit.SECONDS,
            "The longest produce request that a producer saw lately",
            null,
            Source.PRODUCER_REQUEST_LATENCY_MAX,
            Source.PRODUCER_NODE_REQUEST_LATENCY_MAX),
    PRODUCER_QUEUE_TIME(
            Kind.MEAN,
            "producer_record_queue_time",
            Unit.SECONDS,
            "Time of batches in the producer's buffer, mean times requests",
            Source.PRODUCER_REQUESTS,
            Source.PRODUCER_QUEUE_TIME_AVG),
    PRODUCER_QUEUE_TIME_MAX(
            Kind.HIGHEST,
            "producer_record_queue_time_max",
            Unit.SECONDS,
            "The longest time of a batch in a producer's buffer lately",
            null,
            Source.PRODUCER_QUEUE_TIME_MAX),
    PRODUCER_BATCH_SIZE(
            Kind.MEAN,
            "producer_batch_size",
            Unit.BYTES,
            "Size of batches, mean times requests",
            Source.PRODUCER_REQUESTS,
            Source.PRODUCER_BATCH_SIZE_AVG),
    PRODUCER_BATCH_SIZE_MAX(
            Kind.HIGHEST,
            "producer_batch_size_max",
            Unit.BYTES,
            "The largest batch lately",
            null,
            Source.PRODUCER_BATCH_SIZE_MAX),
    PRODUCER_IN_FLIGHT(
            Kind.SUM,
            "producer_requests_in_flight",
            null,
            "Requests that wait for their response",
            null,
            Source.PRODUCER_IN_FLIGHT),
    PRODUCER_THROTTLE_MAX(
            Kind.HIGHEST,
            "producer_throttle_time_max",
            Unit.SECONDS,
            "The longest time lately that a broker asked a producer to hold back",
            null,
            Source.PRODUCER_THROTTLE_MAX),
    PRODUCER_SENDS(
            Kind.TOTAL, "producer_record_sends", null, "Records sent", null, Source.PRODUCER_SENDS),
    PRODUCER_RETRIES(
            Kind.TOTAL,
            "producer_record_retries",
            null,
            "Records sent again",
            null,
            Source.PRODUCER_RETRIES),
    PRODUCER_ERRORS(
            Kind.TOTAL,
            "producer_record_errors",
            null,
            "Records that could not be sent",
            null,
            Source.PRODUCER_ERRORS),
    PRODUCER_CONNECTIONS(
            Kind.TOTAL,
            "producer_connections_created",
            null,
            "Connections that producers opened",
            null,
            Source.PRODUCER_CONNECTIONS),
    CONSUMER_FETCH_LATENCY(
            Kind.MEAN,
            "consumer_fetch_latency",
            Unit.SECONDS,
            "Time of fetches, mostly waiting for data, mean times fetches",
            Source.CONSUMER_FETCHES,
            Source.CONSUMER_FETCH_LATENCY_AVG),
    CONSUMER_FETCH_LATENCY_MAX(
            Kind.HIGHEST,
            "consumer_fetch_latency_max",
            Unit.SECONDS,
            "The longest fetch lately",
            null,
            Source.CONSUMER_FETCH_LATENCY_MAX),
    CONSUMER_RECORDS(
            Kind.TOTAL,
            "consumer_records_consumed",
            null,
            "Records consumed",
            null,
            Source.CONSUMER_RECORDS),
    CONSUMER_LAG_MAX(
            Kind.HIGHEST,
            "consumer_records_lag_max",
            null,
            "Records that the consumer is behind in its worst partition",
            null,
            Source.CONSUMER_LAG_MAX),
    CONSUMER_IDLE_RATIO_MIN(
            Kind.LOWEST,
            "consumer_poll_idle_ratio_min",
            null,
            "Share of its time that the busiest consumer spends in poll, 0 to 1",
            null,
            Source.CONSUMER_IDLE_RATIO),
    CONSUMER_COMMIT_LATENCY(
            Kind.MEAN,
            "consumer_commit_latency",
            Unit.SECONDS,
            "Time of commits, mean times commits",
            Source.CONSUMER_COMMITS,
            Source.CONSUMER_COMMIT_LATENCY_AVG),
    CONSUMER_COMMIT_LATENCY_MAX(
            Kind.HIGHEST,
            "consumer_commit_latency_max",
            Unit.SECONDS,
            "The longest commit lately",
            null,
            Source.CONSUMER_COMMIT_LATENCY_MAX),
    CONSUMER_REBALANCES(
            Kind.TOTAL,
            "consumer_rebalances",
            null,
            "Rebalances that consumers took part in",
            null,
            Source.CONSUMER_REBALANCES),
    CONSUMER_FAILED_REBALANCES(
            Kind.TOTAL,
            "consumer_failed_rebalances",
            null,
            "Rebalances that failed",
            null,
            Source.CONSUMER_FAILED_REBALANCES),
    CONSUMER_REBALANCE_TIME(
            Kind.TOTAL,
            "consumer_rebalance_time",
            Unit.SECONDS,
            "Time spent in rebalances",
            null,
            Source.CONSUMER_REBALANCE_LATENCY_TOTAL),
    CONSUMER_REBALANCE_TIME_MAX(
            Kind.HIGHEST,
            "consumer_rebalance_time_max",
            Unit.SECONDS,
            "The longest rebalance lately",
            null,
            Source.CONSUMER_REBALANCE_LATENCY_MAX),
    CONSUMER_CONNECTIONS(
            Kind.TOTAL,
            "consumer_connections_created",
            null,
            "Connections that consumers opened",
            null,
            Source.CONSUMER_CONNECTIONS);

    /** How the values of several clients become one. */
    enum Kind {
        /** Sum and count, from which a mean over any time and any clients follows. */
        MEAN,
        /** Of the clients that live. */
        HIGHEST,
        /** Of the clients that live. */
        LOWEST,
        /** Of the clients that live. */
        SUM,
        /** Of all clients that ever were. */
        TOTAL;

        /** Whether it is gone with the client. */
        boolean isGauge() {
            return this != MEAN && this != TOTAL;
        }
    }

    private static final double SECONDS_PER_MILLISECOND = 1e-3;

    private final Kind kind;
    private final MetricMetadata metadata;
    private final double scale;
    private final Source weight;
    private final List<Source> sources;

    Signal(Kind kind, String name, Unit unit, String help, Source weight, Source... sources) {
        this.kind = kind;
        String full = "kafka_client_" + name + (unit == null ? "" : "_" + unit);
        this.metadata =
                unit == null
                        ? new MetricMetadata(full, help)
                        : new MetricMetadata(full, help, unit);
        this.scale = unit == Unit.SECONDS ? SECONDS_PER_MILLISECOND : 1;
        this.weight = weight;
        this.sources = List.of(sources);
    }

    Kind kind() {
        return kind;
    }

    MetricMetadata metadata() {
        return metadata;
    }

    /** From the unit that clients push to the one shown. */
    double scale() {
        return scale;
    }

    /** Counts what a {@link Kind#MEAN} is the mean of; null for other kinds. */
    Source weight() {
        return weight;
    }

    /** The first that a client pushes is taken. */
    List<Source> sources() {
        return sources;
    }
}
