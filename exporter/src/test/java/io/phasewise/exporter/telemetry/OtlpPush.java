/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;

/** Makes what a client pushes. */
final class OtlpPush {

    private final ScopeMetrics.Builder metrics = ScopeMetrics.newBuilder();
    private final Resource.Builder resource = Resource.newBuilder();
    private long start = 1_000;
    private long time = 2_000;

    OtlpPush group(String name) {
        resource.addAttributes(attribute("group_id", name));
        return this;
    }

    /** Instants of the points that follow, nanoseconds since the epoch. */
    OtlpPush at(long startNanos, long timeNanos) {
        start = startNanos;
        time = timeNanos;
        return this;
    }

    /** Attributes are keys and values in turn. */
    OtlpPush gauge(String name, double value, String... attributes) {
        metrics.addMetrics(metric(name).setGauge(Gauge.newBuilder().addDataPoints(point(value, attributes))));
        return this;
    }

    OtlpPush delta(String name, double value, String... attributes) {
        return sum(name, value, AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA, attributes);
    }

    OtlpPush cumulative(String name, double value, String... attributes) {
        return sum(name, value, AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE, attributes);
    }

    private OtlpPush sum(String name, double value, AggregationTemporality temporality, String... attributes) {
        Sum.Builder sum = Sum.newBuilder().setIsMonotonic(true).addDataPoints(point(value, attributes));
        metrics.addMetrics(metric(name).setSum(sum.setAggregationTemporality(temporality)));
        return this;
    }

    byte[] bytes() {
        return MetricsData.newBuilder()
                .addResourceMetrics(
                        ResourceMetrics.newBuilder().setResource(resource).addScopeMetrics(metrics))
                .build()
                .toByteArray();
    }

    private static Metric.Builder metric(String name) {
        return Metric.newBuilder().setName("org.apache.kafka." + name);
    }

    private NumberDataPoint.Builder point(double value, String... attributes) {
        NumberDataPoint.Builder point = NumberDataPoint.newBuilder().setAsDouble(value);
        point.setStartTimeUnixNano(start).setTimeUnixNano(time);
        for (int i = 0; i < attributes.length; i += 2) {
            point.addAttributes(attribute(attributes[i], attributes[i + 1]));
        }
        return point;
    }

    private static KeyValue.Builder attribute(String key, String value) {
        return KeyValue.newBuilder().setKey(key).setValue(AnyValue.newBuilder().setStringValue(value));
    }
}
