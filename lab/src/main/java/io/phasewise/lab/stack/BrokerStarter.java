/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.StepState;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Starts the nodes that do not run, each with the exporter's agent. {@link KafkaCluster} configures
 * them.
 */
final class BrokerStarter {

    private final StackStarter starter;

    BrokerStarter(StackStarter starter) {
        this.starter = starter;
    }

    /** Starts them; returns when each is registered. */
    void run() throws IOException, InterruptedException {
        Map<String, Component> absent = new LinkedHashMap<>();
        starter.absent().stream()
                .filter(component -> component.kind().isNode())
                .forEach(component -> absent.put(component.name(), component));
        if (absent.isEmpty()) {
            return;
        }
        KafkaCluster cluster = cluster();
        try {
            absent.values().forEach(node -> starter.working(node, "preparing storage"));
            cluster.prepare();
            for (KafkaBroker node : cluster.nodes()) {
                Component component = absent.get(node.name());
                if (component != null) {
                    node.launch(spec -> starter.launch(component, spec));
                    starter.working(component, "joining the cluster");
                }
            }
            for (KafkaBroker node : cluster.nodes()) {
                if (absent.containsKey(node.name())) {
                    node.awaitRegistered();
                    String where = "ready, " + node.bootstrap();
                    starter.show(absent.remove(node.name()), StepState.READY, where);
                }
            }
        } catch (IOException | RuntimeException failure) {
            absent.values().forEach(node -> starter.show(node, StepState.FAILED, ""));
            throw failure;
        } finally {
            cluster.release();
        }
    }

    private KafkaCluster cluster() {
        StackPorts ports = starter.ports();
        Installation installation = starter.context().installation();
        Path agent = installation.brokerAgent();
        return KafkaCluster.builder(installation.root(), starter.directory().path())
                .controllers(ports.controllers())
                .ports(id -> new BrokerPorts(ports.broker(id), ports.controller(id)))
                .controllerPorts(ports::controller)
                // For client metrics; costs nothing until ./phasewise telemetry enable.
                .brokerProperty(
                        "metric.reporters",
                        "org.apache.kafka.common.metrics.JmxReporter,"
                                + "io.phasewise.exporter.telemetry.ClientMetricsExporter")
                .jvmOption(id -> "-javaagent:" + agent + "=127.0.0.1:" + ports.exporter(id))
                .build();
    }
}
