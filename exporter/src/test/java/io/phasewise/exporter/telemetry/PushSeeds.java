/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the pushes that a search for a breaking one begins with, one of each kind that clients push
 * or could: the files in {@code src/test/fuzz/push}.
 */
final class PushSeeds {
    private PushSeeds() {}

    /** Contents by name of the file. */
    static Map<String, byte[]> all() {
        Map<String, byte[]> seeds = new TreeMap<>();
        seeds.put("empty", new byte[0]);
        seeds.put("every-metric", everyMetric());
        seeds.put(
                "producer",
                new OtlpPush()
                        .gauge("producer.request.latency.avg", 2.5)
                        .gauge("producer.node.request.latency.max", 40, "node_id", "1")
                        .gauge("producer.node.request.latency.max", 7, "node_id", "2")
                        .delta("producer.request.total", 900)
                        .delta("producer.record.send.total", 4_000, "topic", "orders")
                        .delta("producer.record.send.total", 100, "topic", "payments")
                        .bytes());
        seeds.put(
                "consumer",
                new OtlpPush()
                        .group("readers")
                        .gauge("consumer.fetch.manager.fetch.latency.avg", Double.NaN)
                        .gauge("consumer.poll.idle.ratio.avg", 0.5, "client_id", "reader-1")
                        .cumulative("consumer.fetch.manager.records.consumed.total", 12)
                        .bytes());
        seeds.put("restarted-counter", restartedCounter());
        // Without a time no point is known to be one that was here before.
        seeds.put(
                "overflow",
                new OtlpPush()
                        .at(0, 0)
                        .delta("producer.record.send.total", Double.MAX_VALUE)
                        .delta("producer.request.total", 1e200)
                        .gauge("producer.request.latency.avg", 1e200)
                        .bytes());
        seeds.put("whole-numbers", wholeNumbers());
        seeds.put("histogram", histogram());
        seeds.put(
                "long-names",
                new OtlpPush()
                        .group("g".repeat(119) + "\uD83D\uDE00" + "h".repeat(5_000))
                        .delta("producer.request.total", 1, "k".repeat(3_000), "v".repeat(3_000))
                        .bytes());
        seeds.put(
                "line-breaks",
                new OtlpPush()
                        .group("a\n\"b\\ 1.0\n# TYPE")
                        .delta("producer.request.total", 1)
                        .bytes());
        return seeds;
    }

    private static byte[] everyMetric() {
        OtlpPush push = new OtlpPush().group("g");
        double value = 1;
        for (Source source : ClientMetrics.SOURCES.values()) {
            String name = source.wireName.substring("org.apache.kafka.".length());
            if (source.form == Source.Form.COUNT) {
                push.delta(name, value++);
            } else {
                push.gauge(name, value++);
            }
        }
        return push.bytes();
    }

    private static byte[] restartedCounter() {
        return new OtlpPush()
                .at(1, 100)
                .cumulative("producer.record.send.total", 1_000)
                .at(150, 200)
                .cumulative("producer.record.send.total", 5)
                .at(150, 150)
                .delta("producer.record.send.total", 3)
                .bytes();
    }

    /** As librdkafka counts. */
    private static byte[] wholeNumbers() {
        return push(
                Metric.newBuilder()
                        .setName(Signals.source("producer.request.total").wireName)
                        .setSum(
                                Sum.newBuilder()
                                        .setAggregationTemporality(
                                                AggregationTemporality
                                                        .AGGREGATION_TEMPORALITY_CUMULATIVE)
                                        .addDataPoints(
                                                NumberDataPoint.newBuilder()
                                                        .setTimeUnixNano(5)
                                                        .setAsInt(42)
                                                        .addAttributes(
                                                                KeyValue.newBuilder()
                                                                        .setKey("node_id")
                                                                        .setValue(
                                                                                AnyValue
                                                                                        .newBuilder()
                                                                                        .setIntValue(
                                                                                                3))))));
    }

    private static byte[] histogram() {
        return push(
                Metric.newBuilder()
                        .setName(Signals.source("producer.request.latency.avg").wireName)
                        .setHistogram(
                                Histogram.newBuilder()
                                        .addDataPoints(
                                                HistogramDataPoint.newBuilder()
                                                        .setCount(3)
                                                        .setSum(9)
                                                        .addExplicitBounds(1)
                                                        .addBucketCounts(1)
                                                        .addBucketCounts(2))));
    }

    private static byte[] push(Metric.Builder metric) {
        return MetricsData.newBuilder()
                .addResourceMetrics(
                        ResourceMetrics.newBuilder()
                                .addScopeMetrics(ScopeMetrics.newBuilder().addMetrics(metric)))
                .build()
                .toByteArray();
    }
}
