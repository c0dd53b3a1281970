/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.kafka.ClusterPlan.BrokerPlan;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.ProcessIdentity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Starts the brokers that do not run, each with the exporter's agent; how a broker is configured is
 * left to {@link KafkaCluster}.
 */
final class BrokersStart {

    private final Installation installation;
    private final StateDirectory directory;
    private final StackPorts ports;
    private final ComponentStarter starter;

    BrokersStart(
            Installation installation,
            StateDirectory directory,
            StackPorts ports,
            ComponentStarter starter) {
        this.installation = installation;
        this.directory = directory;
        this.ports = ports;
        this.starter = starter;
    }

    /**
     * Returns when the cluster counts each of them in.
     *
     * @param absent the components that do not run, by name; others than brokers are ignored
     */
    void start(Map<String, Component> absent) throws LaunchException, InterruptedException {
        List<String> names =
                Components.of(ports).stream()
                        .filter(Component::isNode)
                        .map(Component::name)
                        .filter(absent::containsKey)
                        .toList();
        if (names.isEmpty()) {
            return;
        }
        names.forEach(name -> starter.working(absent.get(name), "preparing storage"));
        KafkaCluster cluster = cluster();
        try {
            cluster.prepare();
            Map<Integer, ProcessIdentity> identities = new HashMap<>();
            for (BrokerPlan plan : cluster.plan().nodes()) {
                String name = plan.process().name();
                if (names.contains(name)) {
                    identities.put(
                            plan.id(), starter.launch(absent.get(name), plan.process()).identity());
                    starter.working(absent.get(name), "joining the cluster");
                }
            }
            cluster.attach(identities);
            for (KafkaBroker node : cluster.nodes()) {
                if (identities.containsKey(node.id())) {
                    node.awaitRegistered();
                    starter.ready(absent.get(node.name()), node.bootstrap());
                }
            }
        } finally {
            cluster.release();
        }
    }

    private KafkaCluster cluster() {
        List<BrokerPorts> pairs =
                IntStream.rangeClosed(1, StackPorts.BROKERS)
                        .mapToObj(id -> new BrokerPorts(ports.broker(id), ports.controller(id)))
                        .toList();
        return KafkaCluster.builder(installation.root(), directory.path())
                .ports(pairs)
                .controllerPorts(
                        IntStream.rangeClosed(1, ports.controllers())
                                .mapToObj(ports::controller)
                                .toList())
                // Costs nothing until ./phasewise telemetry enable.
                .brokerProperty(
                        "metric.reporters",
                        "org.apache.kafka.common.metrics.JmxReporter,"
                                + "io.phasewise.exporter.telemetry.ClientMetricsExporter")
                .jvmOption(
                        id ->
                                "-javaagent:"
                                        + installation.brokerAgent()
                                        + "=127.0.0.1:"
                                        + exporter(id))
                .build();
    }

    private int exporter(int node) {
        return node < Controller.FIRST
                ? ports.exporter(node)
                : ports.controllerExporter(Controller.number(node));
    }
}
