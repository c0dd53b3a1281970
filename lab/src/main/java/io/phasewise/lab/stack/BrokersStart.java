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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Starts the brokers that do not run, each with the exporter's agent; how a broker is configured is
 * left to {@link KafkaCluster}.
 */
final class BrokersStart {

    private final Start start;

    BrokersStart(Start start) {
        this.start = start;
    }

    /** Returns when the cluster counts each of them in. */
    void run() throws IOException, InterruptedException {
        Map<String, Component> absent = new LinkedHashMap<>();
        start.absent().stream()
                .filter(component -> component.kind().isNode())
                .forEach(component -> absent.put(component.name(), component));
        if (absent.isEmpty()) {
            return;
        }
        KafkaCluster cluster = cluster();
        try {
            absent.values().forEach(node -> start.working(node, "preparing storage"));
            cluster.prepare();
            for (KafkaBroker node : cluster.nodes()) {
                Component component = absent.get(node.name());
                if (component != null) {
                    node.launch(spec -> start.launch(component, spec));
                    start.working(component, "joining the cluster");
                }
            }
            for (KafkaBroker node : cluster.nodes()) {
                if (absent.containsKey(node.name())) {
                    node.awaitRegistered();
                    String where = "ready, " + node.bootstrap();
                    start.show(absent.remove(node.name()), StepState.READY, where);
                }
            }
        } catch (IOException | RuntimeException failure) {
            absent.values().forEach(node -> start.show(node, StepState.FAILED, ""));
            throw failure;
        } finally {
            cluster.release();
        }
    }

    private KafkaCluster cluster() {
        StackPorts ports = start.ports();
        return KafkaCluster.builder(start.installation().root(), start.directory().path())
                .ports(
                        IntStream.rangeClosed(1, StackPorts.BROKERS)
                                .mapToObj(
                                        id ->
                                                new BrokerPorts(
                                                        ports.broker(id), ports.controller(id)))
                                .toList())
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
                                "-javaagent:%s=127.0.0.1:%d"
                                        .formatted(
                                                start.installation().brokerAgent(),
                                                ports.exporter(id)))
                .build();
    }
}
