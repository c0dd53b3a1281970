/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.exporter.telemetry.ClientMetricsExporter;
import io.phasewise.lab.junit.SharedCluster;

/** The brokers of Kafka 4.4 that test classes share. */
public final class TestClusters {

    /** Lock of the classes that count requests on {@link #QUIET}: they take turns. */
    static final String REQUESTS = "requests to the quiet brokers";

    private static final BrokerAgents QUIET_AGENTS = BrokerAgents.ownAndStock(2);
    private static final BrokerAgents PUSH_AGENTS = BrokerAgents.own(2);

    /**
     * Two brokers with both agents, for classes that count requests exactly, one class after the
     * other: who uses them locks {@link #REQUESTS} and leaves no client behind.
     */
    static final SharedCluster QUIET = new SharedCluster(QUIET_AGENTS::on);

    /** Two brokers with our agent, which hand over what clients push, for any number of clients. */
    public static final SharedCluster RECEIVING =
            new SharedCluster(
                    description ->
                            PUSH_AGENTS
                                    .on(description)
                                    .brokerProperty(
                                            "metric.reporters",
                                            "org.apache.kafka.common.metrics.JmxReporter,"
                                                    + ClientMetricsExporter.class.getName()));

    private TestClusters() {}

    static ExportingCluster quiet() {
        return new ExportingCluster(QUIET.get(), QUIET_AGENTS);
    }

    public static ExportingCluster receiving() {
        return new ExportingCluster(RECEIVING.get(), PUSH_AGENTS);
    }
}
