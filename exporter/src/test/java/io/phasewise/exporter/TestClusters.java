/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.exporter.telemetry.ClientMetricsExporter;
import io.phasewise.lab.kafka.ClusterBuilder;
import java.util.function.UnaryOperator;

/** The brokers of Kafka 4.4 that test classes share. */
public final class TestClusters {

    /** Lock of the classes that count requests on {@link #QUIET}: they take turns. */
    static final String REQUESTS = "requests to the quiet brokers";

    /**
     * Two brokers with both agents, for classes that count requests exactly, one class after the
     * other: who uses them locks {@link #REQUESTS} and leaves no client behind.
     */
    static final ExportingCluster QUIET = new ExportingCluster(BrokerAgents.ownAndStock(2), UnaryOperator.identity());

    /** Two brokers with our agent, which hand over what clients push, for any number of clients. */
    public static final ExportingCluster RECEIVING =
            new ExportingCluster(BrokerAgents.own(2), handingOverTo(ClientMetricsExporter.class));

    private TestClusters() {}

    /** Has brokers hand over what clients push. */
    public static UnaryOperator<ClusterBuilder> handingOverTo(Class<?> reporter) {
        return description -> description.brokerProperty(
                "metric.reporters", "org.apache.kafka.common.metrics.JmxReporter," + reporter.getName());
    }
}
