/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that decides how a cluster is laid out; {@link ClusterPlan} turns it into files and
 * commands.
 *
 * @param version the release line of every broker
 * @param classPath its jars
 * @param javaHome the JDK or JRE that runs the brokers
 * @param workDirectory holds all files of the cluster
 * @param ports one set for each broker; as many brokers as sets, ids from 1
 * @param controllers those that are no brokers; none where every broker is a controller, too
 * @param security of the listener for clients and between brokers
 * @param heapMebibytes of each broker
 * @param brokerProperties override or add to server.properties of every broker
 * @param jvmOptions for each broker what is added to its command line, after the defaults
 * @param environments for each broker what is added to its environment
 */
public record ClusterSettings(
        KafkaVersion version,
        List<Path> classPath,
        Path javaHome,
        Path workDirectory,
        List<BrokerPorts> ports,
        List<Controller> controllers,
        ListenerSecurity security,
        int heapMebibytes,
        Map<String, String> brokerProperties,
        List<List<String>> jvmOptions,
        List<Map<String, String>> environments) {

    /**
     * The loopback ports of one broker.
     *
     * @param client for clients, and for other brokers where there is no {@code replication}
     * @param controller for the controller quorum
     * @param replication for other brokers only
     */
    public record BrokerPorts(Listener client, int controller, Optional<Listener> replication) {

        /** Clients and other brokers share a port, and connect to it directly. */
        public BrokerPorts(int client, int controller) {
            this(new Listener(client, client), controller, Optional.empty());
        }
    }

    /**
     * A controller that is no broker.
     *
     * @param id another one than any broker's
     * @param port it listens on
     * @param jvmOptions what is added to its command line, after the defaults
     */
    public record Controller(int id, int port, List<String> jvmOptions) {
        /** The id of the first one. */
        public static final int FIRST = 101;

        /** The id of the one of that number, from 1. */
        public static int id(int number) {
            return FIRST + number - 1;
        }

        /** The number of the one of that id, from 1; below that for a broker's. */
        public static int number(int id) {
            return id - FIRST + 1;
        }
    }

    /**
     * Where a broker listens.
     *
     * @param port that it binds
     * @param advertised that others are told to connect to: another one where something stands in
     *     front
     */
    public record Listener(int port, int advertised) {}

    /**
     * @throws IllegalArgumentException when there is no broker, or too little heap for one
     */
    public ClusterSettings {
        classPath = List.copyOf(classPath);
        ports = List.copyOf(ports);
        controllers = List.copyOf(controllers);
        brokerProperties = Map.copyOf(brokerProperties);
        jvmOptions = jvmOptions.stream().map(List::copyOf).toList();
        environments = environments.stream().map(Map::copyOf).toList();
        workDirectory = workDirectory.toAbsolutePath().normalize();
        if (ports.isEmpty()) {
            throw new IllegalArgumentException("a cluster needs at least one broker");
        }
        if (jvmOptions.size() != ports.size()) {
            throw new IllegalArgumentException(
                    "JVM options for " + jvmOptions.size() + " brokers of " + ports.size());
        }
        if (environments.size() != ports.size()) {
            throw new IllegalArgumentException(
                    "environments for " + environments.size() + " brokers of " + ports.size());
        }
        if (heapMebibytes < 128) {
            throw new IllegalArgumentException(
                    "broker heap of " + heapMebibytes + " MiB: at least 128 are needed");
        }
    }
}
