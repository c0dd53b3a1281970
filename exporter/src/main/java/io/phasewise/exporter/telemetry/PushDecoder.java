/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.TreeMap;

/** From the bytes of a push, an OTLP {@code MetricsData}, to what they say. Keeps nothing. */
final class PushDecoder {

    private static final String GROUP = "group_id";

    /** A digest stands for longer ones: this bounds what is kept of a client. */
    static final int LONGEST_ATTRIBUTES = 64;

    /**
     * No count, no number of bytes or milliseconds of a client is larger. What is would make a
     * counter infinite, and that for good.
     */
    private static final double GREATEST = 1e15;

    /**
     * Reads a push.
     *
     * @throws MalformedPushException when the bytes are not of that form
     */
    ClientReading decode(byte[] bytes) throws MalformedPushException {
        MetricsData data;
        try {
            data = MetricsData.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new MalformedPushException("not OTLP metrics");
        }
        ClientReading reading = new ClientReading();
        for (ResourceMetrics resource : data.getResourceMetricsList()) {
            for (KeyValue attribute : resource.getResource().getAttributesList()) {
                if (attribute.getKey().equals(GROUP)) {
                    reading.group = attribute.getValue().getStringValue();
                }
            }
            for (ScopeMetrics scope : resource.getScopeMetricsList()) {
                for (Metric metric : scope.getMetricsList()) {
                    Source source = ClientMetrics.SOURCES.get(metric.getName());
                    if (source != null) {
                        read(source, metric, reading);
                    }
                }
            }
        }
        return reading;
    }

    private static void read(Source source, Metric metric, ClientReading reading) {
        boolean isSum = metric.hasSum();
        List<NumberDataPoint> points =
                isSum ? metric.getSum().getDataPointsList() : metric.getGauge().getDataPointsList();
        // A gauge that should be a counter can only be its state.
        boolean cumulative =
                !isSum
                        || metric.getSum().getAggregationTemporality()
                                != AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
        for (NumberDataPoint point : points) {
            double value = point.hasAsInt() ? point.getAsInt() : point.getAsDouble();
            // Without events a mean is NaN and a maximum may be; less than none is an error.
            if (value >= 0 && value <= GREATEST) {
                String attributes = attributes(point);
                if (source.form == Source.Form.COUNT) {
                    reading.counter(
                            new CounterPoint(
                                    source,
                                    attributes,
                                    cumulative,
                                    point.getStartTimeUnixNano(),
                                    point.getTimeUnixNano(),
                                    value));
                } else {
                    reading.gauge(source, attributes.isEmpty(), value);
                }
            }
        }
    }

    /** In one order; without the client's own id, which is the same in all. */
    private static String attributes(NumberDataPoint point) {
        if (point.getAttributesCount() == 0) {
            return "";
        }
        TreeMap<String, String> sorted = new TreeMap<>();
        for (KeyValue attribute : point.getAttributesList()) {
            String key = attribute.getKey();
            if (!key.equals("client_id") && !key.equals("client-id")) {
                sorted.put(
                        key,
                        attribute.getValue().hasIntValue()
                                ? Long.toString(attribute.getValue().getIntValue())
                                : attribute.getValue().getStringValue());
            }
        }
        String all = sorted.isEmpty() ? "" : sorted.toString();
        return all.length() > LONGEST_ATTRIBUTES ? digest(all) : all;
    }

    /** SHA-256 in 64 characters: no two texts that clients choose have the same. */
    private static String digest(String text) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return String.format("%064x", new BigInteger(1, hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
