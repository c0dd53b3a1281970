/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Real brokers that carry the stock JMX exporter agent with rules/kafka-broker.yml: scrapes them,
 * and reads the same beans by JMX, past the exporter, to compare.
 */
final class ExportingCluster implements AutoCloseable {

    static final int BROKERS = 2;

    /** When to give one up; how long one takes on a busy machine is not tested. */
    private static final Duration SCRAPE_BOUND = Duration.ofSeconds(60);

    private final PortLease exporterPorts;
    private final PortLease ownPorts;
    private final PortLease jmxPorts;
    private final KafkaCluster cluster;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private ExportingCluster(
            PortLease exporterPorts, PortLease ownPorts, PortLease jmxPorts, KafkaCluster cluster) {
        this.exporterPorts = exporterPorts;
        this.ownPorts = ownPorts;
        this.jmxPorts = jmxPorts;
        this.cluster = cluster;
    }

    /** Starts the brokers and waits until they serve. */
    static ExportingCluster start(KafkaVersion version, Path directory)
            throws InterruptedException {
        Path root = Path.of(System.getProperty("phasewise.root"));
        return start(
                KafkaCluster.builder(root, directory).shortLived().version(version),
                BROKERS,
                false);
    }

    /**
     * Starts brokers that carry this project's agent beside the stock one, and waits until they
     * serve.
     *
     * @param description of the cluster, all but what agents need
     */
    static ExportingCluster startWithBothAgents(KafkaCluster.Builder description, int brokers)
            throws InterruptedException {
        return start(description, brokers, true);
    }

    private static ExportingCluster start(
            KafkaCluster.Builder description, int brokers, boolean both)
            throws InterruptedException {
        Path root = Path.of(System.getProperty("phasewise.root"));
        PortLease exporterPorts = PortLease.take(brokers);
        PortLease ownPorts = PortLease.take(brokers);
        PortLease jmxPorts = PortLease.take(brokers);
        if (both) {
            Path jar = root.resolve("exporter/target/phasewise-exporter.jar");
            description.jvmOption(
                    id -> "-javaagent:" + jar + "=127.0.0.1:" + ownPorts.port(id - 1));
        }
        KafkaCluster cluster =
                description
                        .brokers(brokers)
                        .stopGrace(Duration.ZERO)
                        .jvmOption(id -> agent(root, exporterPorts.port(id - 1)))
                        .jvmOption(id -> "-Dcom.sun.management.jmxremote.host=127.0.0.1")
                        .jvmOption(id -> jmxPort("port", jmxPorts.port(id - 1)))
                        .jvmOption(id -> jmxPort("rmi.port", jmxPorts.port(id - 1)))
                        .jvmOption("-Djava.rmi.server.hostname=127.0.0.1")
                        .jvmOption("-Dcom.sun.management.jmxremote.authenticate=false")
                        .jvmOption("-Dcom.sun.management.jmxremote.ssl=false")
                        .build();
        cluster.start();
        return new ExportingCluster(exporterPorts, ownPorts, jmxPorts, cluster);
    }

    private static String agent(Path root, int port) {
        Path jar = root.resolve("exporter/target/jmx_prometheus_javaagent.jar");
        Path rules = root.resolve("exporter/rules/kafka-broker.yml");
        return "-javaagent:" + jar + "=127.0.0.1:" + port + ":" + rules;
    }

    private static String jmxPort(String name, int port) {
        return "-Dcom.sun.management.jmxremote." + name + "=" + port;
    }

    /** Ids of the brokers. */
    List<Integer> brokers() {
        return List.of(1, 2);
    }

    /** The brokers themselves. */
    KafkaCluster kafka() {
        return cluster;
    }

    /**
     * Scrapes one broker.
     *
     * @throws IOException when the agent does not answer with 200
     */
    Scrape scrape(int broker) throws IOException, InterruptedException {
        return scrapePort(exporterPorts.port(broker - 1));
    }

    /**
     * Scrapes this project's agent of one broker.
     *
     * @throws IOException when the agent does not answer with 200
     */
    Scrape scrapeOwn(int broker) throws IOException, InterruptedException {
        return scrapePort(ownPorts.port(broker - 1));
    }

    private Scrape scrapePort(int port) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
        HttpResponse<String> response =
                http.send(
                        HttpRequest.newBuilder(uri).timeout(SCRAPE_BOUND).build(),
                        HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(uri + " answers " + response.statusCode());
        }
        return Scrape.parse(response.body());
    }

    /**
     * Reads one attribute of one bean of a broker.
     *
     * @throws IOException when the broker cannot be reached or has no such bean or attribute
     */
    double attribute(int broker, String bean, String attribute) throws IOException {
        JMXServiceURL url =
                new JMXServiceURL(
                        "service:jmx:rmi:///jndi/rmi://127.0.0.1:"
                                + jmxPorts.port(broker - 1)
                                + "/jmxrmi");
        try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            Object value = beans.getAttribute(new ObjectName(bean), attribute);
            return ((Number) value).doubleValue();
        } catch (JMException e) {
            throw new IOException("cannot read " + attribute + " of " + bean, e);
        }
    }

    @Override
    public void close() {
        cluster.close();
        exporterPorts.close();
        ownPorts.close();
        jmxPorts.close();
    }
}
