/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import org.apache.kafka.server.telemetry.ClientTelemetry;
import org.apache.kafka.server.telemetry.ClientTelemetryReceiver;

/**
 * Takes the pushes of clients from brokers of Kafka 3.7 and later (KIP-714), when {@code
 * metric.reporters} names it. Of the broker's own metrics it reports none. Kafka 4.2 has a newer
 * interface, which {@link ClientMetricsExporter} implements.
 */
@SuppressWarnings({"deprecation", "removal"})
public final class ClientMetricsReceiver extends BrokerReporter implements ClientTelemetry {

    /** Called by the broker. */
    public ClientMetricsReceiver() {}

    @Override
    public ClientTelemetryReceiver clientReceiver() {
        return (context, payload) -> ClientPushes.push(context, 0, payload);
    }
}
