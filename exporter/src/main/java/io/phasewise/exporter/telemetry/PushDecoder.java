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
import io.phasewise.common.file.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** From the bytes of a push, an OTLP {@code MetricsData}, to what they say. Keeps nothing. */
final class PushDecoder {

    private static final String GROUP = "group_id";

    /** The client's own, the same in all its points. */
    private static final Set<String> ID = Set.of("client_id", "client-id");

    /** A digest stands for longer ones: this bounds what is kept of a client. */
    static final int LONGEST_ATTRIBUTES = 64;

    /**
     * No real count, number of bytes or number of milliseconds is larger. A larger value could make
     * a counter infinite for ever.
     */
    private static final double GREATEST = 1e15;

    /**
     * Reads a push. For a metric that is not used, only the name is looked at.
     *
     * @param library of the client
     * @throws InvalidProtocolBufferException when the bytes are not of that form
     */
    PushContent decode(byte[] bytes, Library library) throws InvalidProtocolBufferException {
        PushContent content = new PushContent(library);
        for (ResourceMetrics resource : MetricsData.parseFrom(bytes).getResourceMetricsList()) {
            for (KeyValue attribute : resource.getResource().getAttributesList()) {
                if (attribute.getKey().equals(GROUP)) {
                    content.group = attribute.getValue().getStringValue();
                }
            }
            for (ScopeMetrics scope : resource.getScopeMetricsList()) {
                for (Metric metric : scope.getMetricsList()) {
                    Source source = ClientMetrics.onTheWire(library, metric.getName());
                    if (source != null) {
                        read(source, metric, content);
                    }
                }
            }
        }
        return content;
    }

    private static void read(Source source, Metric metric, PushContent content) {
        boolean isSum = metric.hasSum();
        List<NumberDataPoint> points =
                isSum ? metric.getSum().getDataPointsList() : metric.getGauge().getDataPointsList();
        // A gauge that should be a counter can only be its state.
        boolean cumulative = !isSum
                || metric.getSum().getAggregationTemporality() != AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
        for (NumberDataPoint point : points) {
            double value = point.hasAsInt() ? point.getAsInt() : point.getAsDouble();
            // Without events a mean is NaN and a maximum may be; less than none is an error.
            if (value >= 0 && value <= GREATEST) {
                content.add(new Point(
                        source,
                        attributes(point),
                        cumulative,
                        point.getStartTimeUnixNano(),
                        point.getTimeUnixNano(),
                        value));
            }
        }
    }

    /** In one order. */
    private static String attributes(NumberDataPoint point) {
        TreeMap<String, String> sorted = new TreeMap<>();
        for (KeyValue attribute : point.getAttributesList()) {
            if (!ID.contains(attribute.getKey())) {
                sorted.put(
                        attribute.getKey(),
                        attribute.getValue().hasIntValue()
                                ? Long.toString(attribute.getValue().getIntValue())
                                : attribute.getValue().getStringValue());
            }
        }
        String all = sorted.isEmpty() ? "" : sorted.toString();
        return all.length() > LONGEST_ATTRIBUTES ? digest(all) : all;
    }

    /** No two texts that clients choose have the same. */
    private static String digest(String text) {
        byte[] hash = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(hash);
    }
}
