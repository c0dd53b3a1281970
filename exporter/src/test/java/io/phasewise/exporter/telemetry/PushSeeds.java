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

    private static final String SENDS = "producer.record.send.total";
    private static final String REQUESTS = "producer.request.total";

    private static final String WHOLE_NUMBERS = """
            name: "org.apache.kafka.producer.request.total"
            sum {
              aggregation_temporality: AGGREGATION_TEMPORALITY_CUMULATIVE
              data_points {
                time_unix_nano: 5
                as_int: 42
                attributes { key: "node_id" value { int_value: 3 } }
              }
            }
            """;

    private static final String HISTOGRAM = """
            name: "org.apache.kafka.producer.request.latency.avg"
            histogram { data_points { count: 3 sum: 9 explicit_bounds: 1 bucket_counts: [1, 2] } }
            """;

    private PushSeeds() {}

    /** Contents by name. */
    static Map<String, byte[]> all() {
        Map<String, byte[]> seeds = new TreeMap<>();
        made().forEach((name, push) -> seeds.put(name, push.bytes()));
        seeds.put("empty", new byte[0]);
        seeds.put("whole-numbers-as-of-librdkafka", metric(WHOLE_NUMBERS));
        seeds.put("histogram", metric(HISTOGRAM));
        return seeds;
    }

    private static Map<String, OtlpPush> made() {
        OtlpPush parts = new OtlpPush().group("readers");
        parts.gauge("producer.node.request.latency.max", 40, "node_id", "1");
        parts.gauge("producer.node.request.latency.max", Double.NaN, "node_id", "2");
        parts.gauge("consumer.poll.idle.ratio.avg", 0.5, "client_id", "reader-1");
        parts.delta(SENDS, 4_000, "topic", "orders");
        parts.cumulative("consumer.fetch.manager.records.consumed.total", 12);
        OtlpPush restarted = new OtlpPush().at(1, 100).cumulative(SENDS, 1_000);
        restarted.at(150, 200).cumulative(SENDS, 5).at(150, 150).delta(SENDS, 3);
        // Without a time no point is known to be one that was here before.
        OtlpPush overflow = new OtlpPush().at(0, 0).delta(SENDS, Double.MAX_VALUE);
        overflow.delta(REQUESTS, 1e200).gauge("producer.request.latency.avg", 1e200);
        String group = "g".repeat(119) + "\uD83D\uDE00" + "h".repeat(5_000);
        OtlpPush longNames = new OtlpPush().group(group);
        longNames.delta(REQUESTS, 1, "k".repeat(3_000), "v".repeat(3_000));
        return Map.of(
                "every-metric", everyMetric(),
                "parts", parts,
                "restarted-counter", restarted,
                "overflow", overflow,
                "long-names", longNames,
                "line-breaks", new OtlpPush().group("a\n\"b\\ 1.0\n# TYPE").delta(REQUESTS, 1));
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
