/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import org.apache.kafka.server.telemetry.ClientTelemetryExporter;
import org.apache.kafka.server.telemetry.ClientTelemetryExporterProvider;

/**
 * Takes the pushes of clients from brokers of Kafka 4.2 and later (KIP-1217), when {@code
 * metric.reporters} names it. Here a broker says how often a client pushes, so that it is known
 * sooner when one has gone. Of the broker's own metrics it reports none. A class of its own,
 * because before Kafka 4.2 it cannot be loaded.
 */
public final class ClientMetricsExporter extends BrokerReporter implements ClientTelemetryExporterProvider {

    /** Called by the broker. */
    public ClientMetricsExporter() {}

    @Override
    public ClientTelemetryExporter clientTelemetryExporter() {
        return (context, payload) ->
                ClientPushes.push(context.authorizableRequestContext(), context.pushIntervalMs(), payload);
    }
}
