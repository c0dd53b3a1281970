/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Everything that decides how a cluster is laid out; {@link ClusterPlan} turns it into files and
 * commands.
 *
 * @param version the release line of every broker
 * @param classPath its jars
 * @param javaHome the JDK or JRE that runs the brokers
 * @param workDirectory holds all files of the cluster
 * @param ports one pair for each broker; as many brokers as pairs, ids from 1
 * @param security of the listener for clients and between brokers
 * @param heapMebibytes of each broker
 * @param brokerProperties override or add to server.properties of every broker
 * @param jvmOptions for each broker what is added to its command line, after the defaults
 */
public record ClusterSettings(
        KafkaVersion version,
        List<Path> classPath,
        Path javaHome,
        Path workDirectory,
        List<BrokerPorts> ports,
        ListenerSecurity security,
        int heapMebibytes,
        Map<String, String> brokerProperties,
        List<List<String>> jvmOptions) {

    /**
     * The loopback ports of one broker.
     *
     * @param client for clients and other brokers
     * @param controller for the controller quorum
     */
    public record BrokerPorts(int client, int controller) {}

    /**
     * @throws IllegalArgumentException when there is no broker, or too little heap for one
     */
    public ClusterSettings {
        classPath = List.copyOf(classPath);
        ports = List.copyOf(ports);
        brokerProperties = Map.copyOf(brokerProperties);
        jvmOptions = jvmOptions.stream().map(List::copyOf).toList();
        workDirectory = workDirectory.toAbsolutePath().normalize();
        if (ports.isEmpty()) {
            throw new IllegalArgumentException("a cluster needs at least one broker");
        }
        if (jvmOptions.size() != ports.size()) {
            throw new IllegalArgumentException(
                    "JVM options for " + jvmOptions.size() + " brokers of " + ports.size());
        }
        if (heapMebibytes < 128) {
            throw new IllegalArgumentException(
                    "broker heap of " + heapMebibytes + " MiB: at least 128 are needed");
        }
    }
}
