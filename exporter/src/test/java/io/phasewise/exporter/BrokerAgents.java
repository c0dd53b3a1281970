/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.net.PortLease;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What brokers carry so that they can be scraped: this project's agent and, where it is held to
 * others, the stock JMX exporter with rules/kafka-broker.yml.
 */
public final class BrokerAgents implements AutoCloseable {

    private static final Path EXPORTER = Path.of(System.getProperty("phasewise.root"), "exporter");

    private final int brokers;
    private final boolean withStock;
    private final PortLease ports;

    private BrokerAgents(int brokers, boolean withStock) {
        this.brokers = brokers;
        this.withStock = withStock;
        this.ports = PortLease.take(2 * brokers);
    }

    /** This project's agent, as it is configured when nobody says otherwise. */
    public static BrokerAgents own(int brokers) {
        return new BrokerAgents(brokers, false);
    }

    /** This project's agent with few topics, and the stock one. */
    static BrokerAgents ownAndStock(int brokers) {
        return new BrokerAgents(brokers, true);
    }

    /** Describes as many brokers with these agents, which are stopped without grace. */
    ClusterBuilder on(ClusterBuilder description) {
        description.brokers(brokers).stopGrace(Duration.ZERO);
        if (!withStock) {
            return description.jvmOption(this::ownAgent);
        }
        String fewTopics = ":" + EXPORTER.resolve("src/test/resources/five-topics.yml");
        String rules = ":" + EXPORTER.resolve("rules/kafka-broker.yml");
        return description
                .jvmOption(id -> ownAgent(id) + fewTopics)
                .jvmOption(id -> agent("jmx_prometheus_javaagent.jar", stockPort(id)) + rules);
    }

    private String ownAgent(int broker) {
        return agent("phasewise-exporter.jar", ownPort(broker));
    }

    private static String agent(String jar, int port) {
        return "-javaagent:" + EXPORTER.resolve("target").resolve(jar) + "=127.0.0.1:" + port;
    }

    int brokers() {
        return brokers;
    }

    /** Where this project's agent of a broker is scraped. */
    int ownPort(int broker) {
        return ports.port(broker - 1);
    }

    /** Where the stock agent of a broker is scraped. */
    int stockPort(int broker) {
        return ports.port(brokers + broker - 1);
    }

    @Override
    public void close() {
        ports.close();
    }
}
