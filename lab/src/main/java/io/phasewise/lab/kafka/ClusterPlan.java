/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.host.Host;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.ClusterSettings.Node;
import io.phasewise.lab.process.ProcessSpec;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes of the settings what each node needs: its properties and its command. A pure function;
 * nothing is written or started here.
 *
 * <p>Every broker is a controller too (KRaft combined mode), unless controllers have processes of
 * their own. Voters are a fixed set. The defaults fit a small machine: few threads, small heaps,
 * internal topics with few partitions.
 */
public final class ClusterPlan {

    private static final String CLIENT_LISTENER = "CLIENT";
    private static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final String REPLICATION_LISTENER = "REPLICATION";
    private static final String SCRAM = "SCRAM-SHA-512";

    private final ClusterSettings settings;
    private final List<BrokerPlan> brokers;
    private final List<BrokerPlan> controllers;

    /**
     * What one node needs.
     *
     * @param id from 1
     * @param host where it runs
     * @param ports it listens on
     * @param serverProperties its configuration
     * @param process how to run it; its directory has all its files
     */
    public record BrokerPlan(
            int id, Host host, BrokerPorts ports, Map<String, String> serverProperties, ProcessSpec process) {

        /** The file for {@code serverProperties}. */
        Path configuration() {
            return process.directory().resolve("server.properties");
        }

        /** Its log directory. */
        Path dataDirectory() {
            return process.directory().resolve("data");
        }

        /** Leaves the properties out: there may be passwords in them. */
        @Override
        public String toString() {
            return "BrokerPlan[id=%d, ports=%s, configuration=%s]".formatted(id, ports, configuration());
        }
    }

    /** Plans a cluster. */
    public ClusterPlan(ClusterSettings settings) {
        this.settings = settings;
        this.brokers = settings.brokers().stream()
                .map(node -> plan(node, brokerProperties(node)))
                .toList();
        this.controllers = settings.controllers().stream()
                .map(node -> plan(node, controllerProperties(node)))
                .toList();
    }

    /** The brokers, by id. */
    public List<BrokerPlan> brokers() {
        return brokers;
    }

    /** The controllers in processes of their own, by id; each has one port, for everybody. */
    public List<BrokerPlan> controllers() {
        return controllers;
    }

    /**
     * All nodes in the order in which they start: controllers in processes of their own, then
     * brokers.
     */
    public List<BrokerPlan> nodes() {
        return Stream.concat(controllers.stream(), brokers.stream()).toList();
    }

    /** Addresses of all brokers, as {@code bootstrap.servers} wants them. */
    public String bootstrap() {
        return settings.brokers().stream()
                .map(node -> address(node, node.ports().client().advertised()))
                .collect(Collectors.joining(","));
    }

    /** The directory for certificates; used only with encryption. */
    Path tlsDirectory() {
        return settings.workDirectory().resolve("tls");
    }

    /** Users to create when the storage is formatted, in the form of the storage tool. */
    List<String> scramCredentials() {
        if (!(settings.security() instanceof ListenerSecurity.SaslSsl sasl)) {
            return List.of();
        }
        Map<String, String> all = new TreeMap<>(sasl.users());
        all.put(sasl.superUser(), sasl.superPassword());
        return all.entrySet().stream()
                .map(user -> "[name=%s,password=%s]".formatted(user.getKey(), user.getValue()))
                .map(user -> SCRAM + "=" + user)
                .toList();
    }

    /**
     * Properties of a client, with security.
     *
     * @param user to log in as; ignored by a cluster without passwords
     * @param password the user's password
     */
    Map<String, String> clientProperties(String user, String password) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("bootstrap.servers", bootstrap());
        if (settings.security() instanceof ListenerSecurity.SaslSsl) {
            properties.put("security.protocol", "SASL_SSL");
            properties.put("sasl.mechanism", SCRAM);
            properties.put("sasl.jaas.config", scramLogin(user, password));
            properties.put("ssl.truststore.type", "PEM");
            properties.put(
                    "ssl.truststore.location", tlsDirectory().resolve("ca.pem").toString());
        }
        return properties;
    }

    private BrokerPlan plan(Node node, Map<String, String> properties) {
        Path log = settings.workDirectory().resolve("logs").resolve(node.name() + ".log");
        ProcessSpec process =
                new ProcessSpec(node.name(), node.host().command(command(node)), node.environment(), home(node), log);
        return new BrokerPlan(node.id(), node.host(), node.ports(), properties, process);
    }

    private Path home(Node node) {
        return settings.workDirectory().resolve(node.name());
    }

    private Map<String, String> controllerProperties(Node node) {
        Map<String, String> p = nodeProperties(node, "controller");
        p.put("listeners", endpoint(node, CONTROLLER_LISTENER, node.ports().controller()));
        putSecurity(p);
        p.putAll(JarResource.properties(ClusterPlan.class, "controller.properties"));
        return p;
    }

    private Map<String, String> nodeProperties(Node node, String roles) {
        Map<String, String> p = new LinkedHashMap<>();
        p.put("process.roles", roles);
        p.put("node.id", Integer.toString(node.id()));
        p.put("controller.quorum.voters", voters());
        p.put("controller.listener.names", CONTROLLER_LISTENER);
        p.put("log.dirs", home(node).resolve("data").toString());
        return p;
    }

    private boolean isCombined() {
        return settings.controllers().isEmpty();
    }

    private Map<String, String> brokerProperties(Node node) {
        BrokerPorts ports = node.ports();
        Map<String, String> p = nodeProperties(node, isCombined() ? "broker,controller" : "broker");
        List<String> listeners = new ArrayList<>();
        List<String> advertised = new ArrayList<>();
        listeners.add(endpoint(node, CLIENT_LISTENER, ports.client().port()));
        advertised.add(endpoint(node, CLIENT_LISTENER, ports.client().advertised()));
        ports.replication().ifPresent(listener -> {
            listeners.add(endpoint(node, REPLICATION_LISTENER, listener.port()));
            advertised.add(endpoint(node, REPLICATION_LISTENER, listener.advertised()));
        });
        if (isCombined()) {
            listeners.add(endpoint(node, CONTROLLER_LISTENER, ports.controller()));
        }
        p.put("listeners", String.join(",", listeners));
        p.put("advertised.listeners", String.join(",", advertised));
        p.put("inter.broker.listener.name", ports.replication().isPresent() ? REPLICATION_LISTENER : CLIENT_LISTENER);
        putSecurity(p);
        putReplication(p);
        p.putAll(JarResource.properties(ClusterPlan.class, "broker.properties"));
        p.putAll(settings.brokerProperties());
        return p;
    }

    private void putReplication(Map<String, String> p) {
        int n = settings.brokers().size();
        String replication = Integer.toString(Math.min(3, n));
        String minInSync = Integer.toString(n >= 3 ? 2 : 1);
        p.put("default.replication.factor", replication);
        p.put("min.insync.replicas", minInSync);
        p.put("offsets.topic.replication.factor", replication);
        p.put("transaction.state.log.replication.factor", replication);
        p.put("transaction.state.log.min.isr", minInSync);
        if (!settings.version().isBefore4()) {
            p.put("share.coordinator.state.topic.replication.factor", replication);
            p.put("share.coordinator.state.topic.min.isr", minInSync);
            p.put("share.coordinator.state.topic.num.partitions", "6");
        }
    }

    private void putSecurity(Map<String, String> p) {
        if (!(settings.security() instanceof ListenerSecurity.SaslSsl sasl)) {
            p.putAll(JarResource.properties(ClusterPlan.class, "plain.properties"));
            return;
        }
        p.putAll(JarResource.properties(ClusterPlan.class, "secured.properties"));
        p.put("ssl.keystore.location", tlsDirectory().resolve("broker.pem").toString());
        p.put("ssl.truststore.location", tlsDirectory().resolve("ca.pem").toString());
        for (String listener : List.of(CLIENT_LISTENER, REPLICATION_LISTENER)) {
            p.put(
                    "listener.name.%s.scram-sha-512.sasl.jaas.config".formatted(listener.toLowerCase(Locale.ROOT)),
                    scramLogin(sasl.superUser(), sasl.superPassword()));
        }
        if (sasl.authorizer()) {
            p.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
            p.put("super.users", "User:" + sasl.superUser() + ";User:CN=" + BROKER_COMMON_NAME);
        }
    }

    /** The common name in the certificate that all brokers share. */
    static final String BROKER_COMMON_NAME = "broker";

    private static String scramLogin(String user, String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                .formatted(user, password);
    }

    private String voters() {
        return (isCombined() ? settings.brokers() : settings.controllers())
                .stream()
                        .map(node ->
                                node.id() + "@" + address(node, node.ports().controller()))
                        .collect(Collectors.joining(","));
    }

    private static String endpoint(Node node, String listener, int port) {
        return listener + "://" + address(node, port);
    }

    private static String address(Node node, int port) {
        return node.host().address() + ":" + port;
    }

    private List<String> command(Node node) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(
                settings.javaHome().resolve("bin/java").toString(),
                "-Xms" + settings.heapMebibytes() + "m",
                "-Xmx" + settings.heapMebibytes() + "m",
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.awt.headless=true",
                "-Djava.net.preferIPv4Stack=true",
                settings.version().loggingOption(home(node))));
        command.addAll(node.jvmOptions());
        String classPath =
                settings.classPath().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        String configuration = home(node).resolve("server.properties").toString();
        command.addAll(List.of("-cp", classPath, "kafka.Kafka", configuration));
        return command;
    }
}
