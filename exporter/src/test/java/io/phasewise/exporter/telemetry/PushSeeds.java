/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import com.google.protobuf.TextFormat;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the pushes that a search for a breaking one begins with: one of each kind that clients push
 * or could, and any that once broke something.
 */
final class PushSeeds {
    private PushSeeds() {}

    /** Contents by name. */
    static Map<String, byte[]> all() {
        Map<String, byte[]> seeds = new TreeMap<>();
        seeds.put("empty", new byte[0]);
        seeds.put("every-metric", everyMetric().bytes());
        seeds.put(
                "parts",
                new OtlpPush()
                        .group("readers")
                        .gauge("producer.node.request.latency.max", 40, "node_id", "1")
                        .gauge("producer.node.request.latency.max", Double.NaN, "node_id", "2")
                        .gauge("consumer.poll.idle.ratio.avg", 0.5, "client_id", "reader-1")
                        .delta("producer.record.send.total", 4_000, "topic", "orders")
                        .cumulative("consumer.fetch.manager.records.consumed.total", 12)
                        .bytes());
        seeds.put(
                "restarted-counter",
                new OtlpPush()
                        .at(1, 100)
                        .cumulative("producer.record.send.total", 1_000)
                        .at(150, 200)
                        .cumulative("producer.record.send.total", 5)
                        .at(150, 150)
                        .delta("producer.record.send.total", 3)
                        .bytes());
        // Without a time no point is known to be one that was here before.
        seeds.put(
                "overflow",
                new OtlpPush()
                        .at(0, 0)
                        .delta("producer.record.send.total", Double.MAX_VALUE)
                        .delta("producer.request.total", 1e200)
                        .gauge("producer.request.latency.avg", 1e200)
                        .bytes());
        seeds.put(
                "whole-numbers-as-of-librdkafka",
                metric(
                        """
                        name: "org.apache.kafka.producer.request.total"
                        sum {
                          aggregation_temporality: AGGREGATION_TEMPORALITY_CUMULATIVE
                          data_points {
                            time_unix_nano: 5
                            as_int: 42
                            attributes { key: "node_id" value { int_value: 3 } }
                          }
                        }
                        """));
        seeds.put(
                "histogram",
                metric(
                        """
                        name: "org.apache.kafka.producer.request.latency.avg"
                        histogram {
                          data_points {
                            count: 3
                            sum: 9
                            explicit_bounds: 1
                            bucket_counts: [1, 2]
                          }
                        }
                        """));
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

    private static OtlpPush everyMetric() {
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
        return push;
    }

    /** One metric in the text form of Protocol Buffers. */
    private static byte[] metric(String text) {
        MetricsData.Builder push = MetricsData.newBuilder();
        try {
            TextFormat.merge("resource_metrics { scope_metrics { metrics {" + text + "} } }", push);
        } catch (TextFormat.ParseException e) {
            throw new IllegalArgumentException(text, e);
        }
        return push.build().toByteArray();
    }
}
