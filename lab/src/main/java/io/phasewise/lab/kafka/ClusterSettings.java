/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.host.Host;
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
 * @param controllers in processes of their own, ids from {@link Controller#FIRST}; none: every
 *     broker is a controller too
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
     * @param ports of a controller only one, for brokers and controllers
     * @param jvmOptions what is added to its command line, after the defaults
     * @param environment what is added to its environment
     * @param host where it runs
     */
    public record Node(int id, BrokerPorts ports, List<String> jvmOptions, Map<String, String> environment, Host host) {

        /** Runs on this machine. */
        public Node(int id, BrokerPorts ports, List<String> jvmOptions, Map<String, String> environment) {
            this(id, ports, jvmOptions, environment, Host.THIS);
        }

        /** Copies its collections. */
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
     * The ports of one broker.
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

    /** The ids of controllers in processes of their own. */
    public static final class Controller {

        /** The id of the first one. */
        public static final int FIRST = 101;

        private Controller() {}

        /** The id of a controller by its number, from 1. */
        public static int id(int number) {
            return FIRST + number - 1;
        }

        /** The number of a controller by its id, from 1; below 1 for the id of a broker. */
        public static int number(int id) {
            return id - FIRST + 1;
        }
    }

    /**
     * Where a broker listens.
     *
     * @param port that it binds
     * @param advertised port that it tells others to connect to; differs where a link stands in
     *     front
     */
    public record Listener(int port, int advertised) {}

    /** Copies its collections. */
    public ClusterSettings {
        classPath = List.copyOf(classPath);
        brokers = List.copyOf(brokers);
        controllers = List.copyOf(controllers);
        brokerProperties = Map.copyOf(brokerProperties);
        workDirectory = workDirectory.toAbsolutePath().normalize();
    }
}
