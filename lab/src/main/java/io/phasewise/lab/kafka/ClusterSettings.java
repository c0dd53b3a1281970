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
 * @param brokers ids from 1
 * @param controllers those that are no brokers, ids from {@link Controller#FIRST}; none where every
 *     broker is a controller, too
 * @param security of the listener for clients and between brokers
 * @param heapMebibytes of each broker
 * @param brokerProperties override or add to server.properties of every broker
 */
public record ClusterSettings(
        KafkaVersion version,
        List<Path> classPath,
        Path javaHome,
        Path workDirectory,
        List<Node> brokers,
        List<Node> controllers,
        ListenerSecurity security,
        int heapMebibytes,
        Map<String, String> brokerProperties) {

    /**
     * A broker or a controller.
     *
     * @param ports a controller has one, for everybody
     * @param jvmOptions what is added to its command line, after the defaults
     * @param environment what is added to its environment
     */
    public record Node(int id, BrokerPorts ports, List<String> jvmOptions, Map<String, String> environment) {

        /** Takes copies. */
        public Node {
            jvmOptions = List.copyOf(jvmOptions);
            environment = Map.copyOf(environment);
        }

        /** For instance {@code broker-1}. */
        String name() {
            return id < Controller.FIRST ? "broker-" + id : "controller-" + Controller.number(id);
        }
    }

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

    /** The ids of controllers that are no brokers. */
    public static final class Controller {

        /** The id of the first one. */
        public static final int FIRST = 101;

        private Controller() {}

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

    /** Takes copies. */
    public ClusterSettings {
        classPath = List.copyOf(classPath);
        brokers = List.copyOf(brokers);
        controllers = List.copyOf(controllers);
        brokerProperties = Map.copyOf(brokerProperties);
        workDirectory = workDirectory.toAbsolutePath().normalize();
    }
}
