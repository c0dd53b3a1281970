/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A metric that a client pushes, by the name that it has on the wire. Names and units are those of
 * KIP-714 and of the Kafka clients' own documentation: times are in milliseconds, sizes in bytes.
 */
enum Source {
    PRODUCER_REQUEST_LATENCY_AVG("producer.request.latency.avg", Form.MEAN),
    PRODUCER_REQUEST_LATENCY_MAX("producer.request.latency.max", Form.HIGHEST),
    PRODUCER_NODE_REQUEST_LATENCY_AVG("producer.node.request.latency.avg", Form.MEAN),
    PRODUCER_NODE_REQUEST_LATENCY_MAX("producer.node.request.latency.max", Form.HIGHEST),
    PRODUCER_REQUESTS("producer.request.total", Form.COUNT),
    PRODUCER_QUEUE_TIME_AVG("producer.record.queue.time.avg", Form.MEAN),
    PRODUCER_QUEUE_TIME_MAX("producer.record.queue.time.max", Form.HIGHEST),
    PRODUCER_BATCH_SIZE_AVG("producer.batch.size.avg", Form.MEAN),
    PRODUCER_BATCH_SIZE_MAX("producer.batch.size.max", Form.HIGHEST),
    PRODUCER_IN_FLIGHT("producer.requests.in.flight", Form.SUM),
    PRODUCER_THROTTLE_MAX("producer.produce.throttle.time.max", Form.HIGHEST),
    PRODUCER_SENDS("producer.record.send.total", Form.COUNT),
    PRODUCER_RETRIES("producer.record.retry.total", Form.COUNT),
    PRODUCER_ERRORS("producer.record.error.total", Form.COUNT),
    PRODUCER_CONNECTIONS("producer.connection.creation.total", Form.COUNT),
    CONSUMER_FETCH_LATENCY_AVG("consumer.fetch.manager.fetch.latency.avg", Form.MEAN),
    CONSUMER_FETCH_LATENCY_MAX("consumer.fetch.manager.fetch.latency.max", Form.HIGHEST),
    CONSUMER_FETCHES("consumer.fetch.manager.fetch.total", Form.COUNT),
    CONSUMER_RECORDS("consumer.fetch.manager.records.consumed.total", Form.COUNT),
    CONSUMER_LAG_MAX("consumer.fetch.manager.records.lag.max", Form.HIGHEST),
    CONSUMER_IDLE_RATIO("consumer.poll.idle.ratio.avg", Form.MEAN),
    CONSUMER_COMMIT_LATENCY_AVG("consumer.coordinator.commit.latency.avg", Form.MEAN),
    CONSUMER_COMMIT_LATENCY_MAX("consumer.coordinator.commit.latency.max", Form.HIGHEST),
    CONSUMER_COMMITS("consumer.coordinator.commit.total", Form.COUNT),
    CONSUMER_REBALANCES("consumer.coordinator.rebalance.total", Form.COUNT),
    CONSUMER_FAILED_REBALANCES("consumer.coordinator.failed.rebalance.total", Form.COUNT),
    CONSUMER_REBALANCE_LATENCY_TOTAL("consumer.coordinator.rebalance.latency.total", Form.COUNT),
    CONSUMER_REBALANCE_LATENCY_MAX("consumer.coordinator.rebalance.latency.max", Form.HIGHEST),
    CONSUMER_CONNECTIONS("consumer.connection.creation.total", Form.COUNT);

    /** How the points of one push, one for each broker or partition, become one value. */
    enum Form {
        MEAN,
        HIGHEST,
        SUM,
        COUNT
    }

    private static final Map<String, Source> BY_NAME =
            Arrays.stream(values())
                    .collect(Collectors.toUnmodifiableMap(Source::wireName, Function.identity()));

    private final String wireName;
    private final Form form;

    Source(String name, Form form) {
        this.wireName = "org.apache.kafka." + name;
        this.form = form;
    }

    /** The source of that name; null for the many that nobody asked for. */
    static Source named(String wireName) {
        return BY_NAME.get(wireName);
    }

    /** As in a subscription, and in a push. */
    String wireName() {
        return wireName;
    }

    Form form() {
        return form;
    }
}
