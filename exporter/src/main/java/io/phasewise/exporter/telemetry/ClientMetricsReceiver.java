/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.server.telemetry.ClientTelemetry;
import org.apache.kafka.server.telemetry.ClientTelemetryReceiver;

/**
 * Takes the pushes of clients from brokers of Kafka 3.7 and later (KIP-714), when {@code
 * metric.reporters} names it. Of the broker's own metrics it reports none. Kafka 4.2 has a newer
 * interface, which {@link ClientMetricsExporter} implements.
 */
@SuppressWarnings({"deprecation", "removal"})
public final class ClientMetricsReceiver implements MetricsReporter, ClientTelemetry {

    /** Called by the broker. */
    public ClientMetricsReceiver() {
        TelemetryHook.activate();
    }

    @Override
    public ClientTelemetryReceiver clientReceiver() {
        return (context, payload) -> TelemetryHook.push(context, 0, payload);
    }

    @Override
    public void init(List<KafkaMetric> metrics) {}

    @Override
    public void metricChange(KafkaMetric metric) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {}

    @Override
    public void configure(Map<String, ?> configuration) {}

    @Override
    public void close() {}
}
