/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.process.ProcessSpec;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * From settings to what each broker needs: its properties, its logging configuration, its command.
 * A pure function; nothing is written or started here.
 *
 * <p>Every node is broker and controller at once (KRaft combined mode) unless there are controllers
 * of their own; voters are a fixed set. The defaults fit a small machine: few threads, small heaps,
 * internal topics with few partitions.
 */
public final class ClusterPlan {

    private static final String CLIENT_LISTENER = "CLIENT";
    private static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final String REPLICATION_LISTENER = "REPLICATION";
    private static final String SCRAM = "SCRAM-SHA-512";

    /**
     * Loggers that write some hundred lines at each start about what server.properties says anyway.
     */
    private static final List<String> CONFIGURATION_DUMPS =
            List.of("org.apache.kafka.common.config.AbstractConfig", "kafka.server.KafkaConfig");

    private final ClusterSettings settings;
    private final List<BrokerPlan> brokers;
    private final List<BrokerPlan> controllers;

    /**
     * What one broker needs.
     *
     * @param id from 1
     * @param ports it listens on
     * @param configuration the file that {@code serverProperties} belong in
     * @param serverProperties the broker's configuration, in a fixed order
     * @param loggingConfiguration the file that {@code loggingProperties} belong in
     * @param loggingProperties configuration of the logging library
     * @param dataDirectory its log directory
     * @param process how to run it
     */
    public record BrokerPlan(
            int id,
            BrokerPorts ports,
            Path configuration,
            Map<String, String> serverProperties,
            Path loggingConfiguration,
            Map<String, String> loggingProperties,
            Path dataDirectory,
            ProcessSpec process) {

        /** Leaves the properties out: there may be passwords in them. */
        @Override
        public String toString() {
            return "BrokerPlan[id="
                    + id
                    + ", ports="
                    + ports
                    + ", configuration="
                    + configuration
                    + "]";
        }
    }

    /** Plans a cluster. */
    public ClusterPlan(ClusterSettings settings) {
        this.settings = settings;
        this.brokers =
                IntStream.rangeClosed(1, settings.ports().size()).mapToObj(this::plan).toList();
        this.controllers = settings.controllers().stream().map(this::plan).toList();
    }

    /** The brokers, by id. */
    public List<BrokerPlan> brokers() {
        return brokers;
    }

    /** The controllers that are no brokers, by id; they have one port, for everybody. */
    public List<BrokerPlan> controllers() {
        return controllers;
    }

    /** Controllers of their own and brokers, in the order in which they start. */
    public List<BrokerPlan> nodes() {
        return Stream.concat(controllers.stream(), brokers.stream()).toList();
    }

    /** Addresses of all brokers, as {@code bootstrap.servers} wants them. */
    public String bootstrap() {
        return settings.ports().stream()
                .map(ports -> address(ports.client().advertised()))
                .collect(Collectors.joining(","));
    }

    /** Where the certificates belong; used only with a security that wants them. */
    Path tlsDirectory() {
        return settings.workDirectory().resolve("tls");
    }

    /** Users to create when the storage is formatted, in the notation of the storage tool. */
    List<String> scramCredentials() {
        if (!(settings.security() instanceof ListenerSecurity.SaslSsl sasl)) {
            return List.of();
        }
        Map<String, String> all = new TreeMap<>(sasl.users());
        all.put(sasl.superUser(), sasl.superPassword());
        return all.entrySet().stream()
                .map(
                        user ->
                                SCRAM
                                        + "=[name="
                                        + user.getKey()
                                        + ",password="
                                        + user.getValue()
                                        + "]")
                .toList();
    }

    /**
     * Client properties, security included.
     *
     * @param user who to connect as; ignored by a cluster without passwords
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
            properties.put("ssl.truststore.location", tlsDirectory().resolve("ca.pem").toString());
        }
        return properties;
    }

    private BrokerPlan plan(int id) {
        BrokerPorts ports = settings.ports().get(id - 1);
        return plan(
                id,
                "broker-" + id,
                ports,
                data -> serverProperties(id, data),
                settings.jvmOptions().get(id - 1),
                settings.environments().get(id - 1));
    }

    private BrokerPlan plan(Controller controller) {
        return plan(
                controller.id(),
                "controller-" + Controller.number(controller.id()),
                new BrokerPorts(controller.port(), controller.port()),
                data -> controllerProperties(controller, data),
                controller.jvmOptions(),
                Map.of());
    }

    private BrokerPlan plan(
            int id,
            String name,
            BrokerPorts ports,
            Function<Path, Map<String, String>> properties,
            List<String> jvmOptions,
            Map<String, String> environment) {
        Path home = settings.workDirectory().resolve(name);
        Path configuration = home.resolve("server.properties");
        Path logging = home.resolve(settings.version().logging().fileName());
        Path data = home.resolve("data");
        return new BrokerPlan(
                id,
                ports,
                configuration,
                properties.apply(data),
                logging,
                loggingProperties(),
                data,
                process(name, home, command(configuration, logging, jvmOptions), environment));
    }

    private Map<String, String> controllerProperties(Controller controller, Path data) {
        Map<String, String> p = new LinkedHashMap<>();
        p.put("process.roles", "controller");
        p.put("node.id", Integer.toString(controller.id()));
        p.put("controller.quorum.voters", voters());
        p.put("listeners", endpoint(CONTROLLER_LISTENER, controller.port()));
        p.put("controller.listener.names", CONTROLLER_LISTENER);
        putSecurity(p, CLIENT_LISTENER);
        p.put("log.dirs", data.toString());
        p.put("num.network.threads", "2");
        p.put("num.io.threads", "2");
        p.put("background.threads", "2");
        return p;
    }

    private boolean isCombined() {
        return settings.controllers().isEmpty();
    }

    private Map<String, String> serverProperties(int id, Path data) {
        int n = settings.ports().size();
        BrokerPorts ports = settings.ports().get(id - 1);
        String replication = Integer.toString(Math.min(3, n));
        String minInSync = Integer.toString(n >= 3 ? 2 : 1);
        Map<String, String> p = new LinkedHashMap<>();
        p.put("process.roles", isCombined() ? "broker,controller" : "broker");
        p.put("node.id", Integer.toString(id));
        p.put("controller.quorum.voters", voters());
        p.put(
                "listeners",
                endpoint(CLIENT_LISTENER, ports.client().port())
                        + ports.replication()
                                .map(l -> "," + endpoint(REPLICATION_LISTENER, l.port()))
                                .orElse("")
                        + (isCombined()
                                ? "," + endpoint(CONTROLLER_LISTENER, ports.controller())
                                : ""));
        p.put(
                "advertised.listeners",
                endpoint(CLIENT_LISTENER, ports.client().advertised())
                        + ports.replication()
                                .map(l -> "," + endpoint(REPLICATION_LISTENER, l.advertised()))
                                .orElse(""));
        p.put("inter.broker.listener.name", interBroker(ports));
        p.put("controller.listener.names", CONTROLLER_LISTENER);
        putSecurity(p, interBroker(ports));
        p.put("log.dirs", data.toString());

        p.put("default.replication.factor", replication);
        p.put("min.insync.replicas", minInSync);
        p.put("auto.create.topics.enable", "false");
        p.put("offsets.topic.replication.factor", replication);
        p.put("offsets.topic.num.partitions", "6");
        p.put("transaction.state.log.replication.factor", replication);
        p.put("transaction.state.log.min.isr", minInSync);
        p.put("transaction.state.log.num.partitions", "6");
        if (settings.version() != KafkaVersion.V3_9) {
            p.put("share.coordinator.state.topic.replication.factor", replication);
            p.put("share.coordinator.state.topic.min.isr", minInSync);
            p.put("share.coordinator.state.topic.num.partitions", "6");
        }
        p.put("group.initial.rebalance.delay.ms", "0");

        p.put("num.network.threads", "2");
        p.put("num.io.threads", "4");
        p.put("background.threads", "4");
        p.put("num.recovery.threads.per.data.dir", "2");
        // A quarter of a small heap would otherwise go to the cleaner's offset map.
        p.put("log.cleaner.dedupe.buffer.size", "8388608");
        p.putAll(new TreeMap<>(settings.brokerProperties()));
        return p;
    }

    private void putSecurity(Map<String, String> p, String interBroker) {
        if (!(settings.security() instanceof ListenerSecurity.SaslSsl sasl)) {
            p.put(
                    "listener.security.protocol.map",
                    protocols(interBroker, "PLAINTEXT", "PLAINTEXT"));
            return;
        }
        p.put("listener.security.protocol.map", protocols(interBroker, "SASL_SSL", "SSL"));
        p.put("ssl.keystore.type", "PEM");
        p.put("ssl.keystore.location", tlsDirectory().resolve("broker.pem").toString());
        p.put("ssl.truststore.type", "PEM");
        p.put("ssl.truststore.location", tlsDirectory().resolve("ca.pem").toString());
        p.put("sasl.enabled.mechanisms", SCRAM);
        p.put("sasl.mechanism.inter.broker.protocol", SCRAM);
        for (String listener : new TreeSet<>(List.of(CLIENT_LISTENER, interBroker))) {
            p.put(
                    "listener.name."
                            + listener.toLowerCase(Locale.ROOT)
                            + ".scram-sha-512.sasl.jaas.config",
                    scramLogin(sasl.superUser(), sasl.superPassword()));
        }
        // Users and passwords live in the metadata log, which controllers need a connection to
        // read: they know each
        // other by certificate instead.
        p.put("listener.name.controller.ssl.client.auth", "required");
        if (sasl.authorizer()) {
            p.put(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
            p.put("super.users", "User:" + sasl.superUser() + ";User:CN=" + BROKER_COMMON_NAME);
        }
    }

    /** The common name in the certificate that all brokers share. */
    static final String BROKER_COMMON_NAME = "broker";

    private static String scramLogin(String user, String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\""
                + user
                + "\" password=\""
                + password
                + "\";";
    }

    private String voters() {
        if (!isCombined()) {
            return settings.controllers().stream()
                    .map(each -> each.id() + "@" + address(each.port()))
                    .collect(Collectors.joining(","));
        }
        return IntStream.rangeClosed(1, settings.ports().size())
                .mapToObj(id -> id + "@" + address(settings.ports().get(id - 1).controller()))
                .collect(Collectors.joining(","));
    }

    private static String interBroker(BrokerPorts ports) {
        return ports.replication().isPresent() ? REPLICATION_LISTENER : CLIENT_LISTENER;
    }

    private static String protocols(String interBroker, String data, String controller) {
        return CLIENT_LISTENER
                + ":"
                + data
                + (interBroker.equals(CLIENT_LISTENER) ? "" : "," + interBroker + ":" + data)
                + ","
                + CONTROLLER_LISTENER
                + ":"
                + controller;
    }

    private static String endpoint(String listener, int port) {
        return listener + "://" + address(port);
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }

    private Map<String, String> loggingProperties() {
        Map<String, String> p = new LinkedHashMap<>();
        String pattern = "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5p [%t] %c{1}: %m%n";
        switch (settings.version().logging()) {
            case LOG4J1 -> {
                p.put("log4j.rootLogger", "INFO, stdout");
                p.put("log4j.appender.stdout", "org.apache.log4j.ConsoleAppender");
                p.put("log4j.appender.stdout.layout", "org.apache.log4j.PatternLayout");
                p.put("log4j.appender.stdout.layout.ConversionPattern", pattern);
                for (String logger : CONFIGURATION_DUMPS) {
                    p.put("log4j.logger." + logger, "WARN");
                }
            }
            case LOG4J2 -> {
                p.put("status", "warn");
                // A broker logs its orderly shutdown from a shutdown hook of its own, which the
                // logging's would outrun.
                p.put("shutdownHook", "disable");
                p.put("appender.stdout.type", "Console");
                p.put("appender.stdout.name", "stdout");
                p.put("appender.stdout.layout.type", "PatternLayout");
                p.put("appender.stdout.layout.pattern", pattern);
                for (int i = 0; i < CONFIGURATION_DUMPS.size(); i++) {
                    p.put("logger." + i + ".name", CONFIGURATION_DUMPS.get(i));
                    p.put("logger." + i + ".level", "warn");
                }
                p.put("rootLogger.level", "info");
                p.put("rootLogger.appenderRef.stdout.ref", "stdout");
            }
        }
        return p;
    }

    private List<String> command(Path configuration, Path logging, List<String> jvmOptions) {
        List<String> command = new ArrayList<>();
        command.add(settings.javaHome().resolve("bin/java").toString());
        command.add("-Xms" + settings.heapMebibytes() + "m");
        command.add("-Xmx" + settings.heapMebibytes() + "m");
        command.add("-XX:+UseG1GC");
        command.add("-XX:MaxGCPauseMillis=20");
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.add("-Djava.awt.headless=true");
        command.add("-Djava.net.preferIPv4Stack=true");
        command.add(settings.version().logging().jvmOption(logging));
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(
                settings.classPath().stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)));
        command.add("kafka.Kafka");
        command.add(configuration.toString());
        return command;
    }

    private ProcessSpec process(
            String name, Path home, List<String> command, Map<String, String> environment) {
        return new ProcessSpec(
                name,
                command,
                environment,
                home,
                settings.workDirectory().resolve("logs").resolve(name + ".log"));
    }
}
