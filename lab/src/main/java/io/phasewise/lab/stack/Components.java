/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The components of a stack and where each is reached, by ports alone; a pure function. */
public final class Components {

    private Components() {}

    /** All of them, in the order in which they are shown. */
    public static List<Component> of(StackPorts ports) {
        List<Component> all = new ArrayList<>();
        for (int id = 1; id <= StackPorts.BROKERS; id++) {
            String metrics = "http://127.0.0.1:" + ports.exporter(id) + "/metrics";
            all.add(
                    new Component(
                            "broker-" + id,
                            ComponentKind.BROKER,
                            ports.broker(id),
                            metrics,
                            Optional.of("127.0.0.1:" + ports.broker(id)),
                            Optional.of(metrics)));
        }
        for (int id = 1; id <= ports.controllers(); id++) {
            String metrics = "http://127.0.0.1:" + ports.controllerExporter(id) + "/metrics";
            all.add(
                    new Component(
                            "controller-" + id,
                            ComponentKind.CONTROLLER,
                            ports.controller(id),
                            metrics,
                            Optional.empty(),
                            Optional.of(metrics)));
        }
        all.add(server(ComponentKind.CANARY, ports.canary()));
        all.add(server(ComponentKind.PROMETHEUS, ports.prometheus()));
        all.add(server(ComponentKind.ALERTMANAGER, ports.alertmanager()));
        all.add(server(ComponentKind.GRAFANA, ports.grafana()));
        all.add(server(ComponentKind.RECEIVER, ports.receiver()));
        all.add(server(ComponentKind.NODE_EXPORTER, ports.nodeExporter()));
        return all;
    }

    /** The names of all that a stack may have, in the same order. */
    public static List<String> names() {
        return names(new StackPorts(0, StackPorts.MOST_CONTROLLERS));
    }

    static List<String> names(StackPorts ports) {
        return of(ports).stream().map(Component::name).toList();
    }

    private static Component server(ComponentKind kind, int port) {
        return new Component(
                kind.label(),
                kind,
                port,
                "http://127.0.0.1:" + port,
                Optional.empty(),
                Optional.empty());
    }
}
