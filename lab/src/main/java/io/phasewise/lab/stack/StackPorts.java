/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.cli.OptionCheck;
import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The components of a stack and all their ports: the defaults plus one offset, so that two stacks
 * fit on one machine.
 *
 * @param offset from 0 to {@link #MAX_OFFSET}
 * @param controllers in processes of their own, 0 to {@link #MOST_CONTROLLERS}; with none every
 *     broker is a controller too
 */
public record StackPorts(int offset, int controllers) {

    /** How many controllers in processes of their own a stack may have. */
    public static final int MOST_CONTROLLERS = 3;

    /** How many brokers a stack has. */
    public static final int BROKERS = 3;

    private static final int EXPORTER = 7071;

    /** With this offset the highest port, that of the last controller, is 65535. */
    public static final int MAX_OFFSET = 65_535 - 19_097;

    /**
     * @throws UsageException when the offset or the number is outside its range
     */
    public StackPorts {
        new OptionCheck()
                .within("--port-offset", offset, 0, MAX_OFFSET)
                .within("--controllers", controllers, 0, MOST_CONTROLLERS)
                .done();
    }

    /** The names of all components that a stack may have, in the order in which they are shown. */
    public static List<String> names() {
        return new StackPorts(0, MOST_CONTROLLERS)
                .components().stream().map(Component::name).toList();
    }

    /** All components, in the order in which they are shown. */
    public List<Component> components() {
        List<Component> all = new ArrayList<>();
        for (int id = 1; id <= BROKERS; id++) {
            all.add(new Component("broker-" + id, ComponentKind.BROKER, broker(id), exporter(id)));
        }
        for (int number = 1; number <= controllers; number++) {
            String name = "controller-" + number;
            int exporter = exporter(Controller.id(number));
            all.add(new Component(name, ComponentKind.CONTROLLER, controller(number), exporter));
        }
        for (ComponentKind kind : ComponentKind.values()) {
            if (!kind.isNode()) {
                all.add(new Component(kind.label(), kind, of(kind), of(kind)));
            }
        }
        return all;
    }

    /** Bootstrap servers for Kafka clients on this machine. */
    public String bootstrap() {
        return IntStream.rangeClosed(1, BROKERS)
                .mapToObj(id -> "127.0.0.1:" + broker(id))
                .collect(Collectors.joining(","));
    }

    /**
     * @param id from 1
     */
    int broker(int id) {
        return of(ComponentKind.BROKER) + id - 1;
    }

    /**
     * @param number from 1; for a broker that is a controller too, its id
     */
    int controller(int number) {
        return of(ComponentKind.CONTROLLER) + number - 1;
    }

    /**
     * @param node id of a broker or a controller; ports of controllers come after those of brokers
     */
    int exporter(int node) {
        int number = node < Controller.FIRST ? node : BROKERS + Controller.number(node);
        return EXPORTER + number - 1 + offset;
    }

    /** The port of the one component of that kind. */
    int of(ComponentKind kind) {
        return kind.port() + offset;
    }

    /** All ports that a component of this stack listens on, each once. */
    Set<Integer> of(Component component) {
        Set<Integer> ports = new LinkedHashSet<>(List.of(component.port(), component.httpPort()));
        if (component.kind() == ComponentKind.BROKER && controllers == 0) {
            ports.add(controller(component.port() - broker(1) + 1));
        }
        return ports;
    }

    /**
     * Checks that the ports of components are free.
     *
     * @param free whether a port is free
     * @throws IOException when some are taken; the message names each one, how to find its
     *     owner, and the option that moves the ports
     */
    void requireFree(List<Component> components, IntPredicate free) throws IOException {
        List<String> taken = new ArrayList<>();
        for (Component component : components) {
            for (int port : of(component)) {
                if (!free.test(port)) {
                    taken.add("port %d (%s) is taken; `ss -ltnp 'sport = :%1$d'` says by whom"
                            .formatted(port, component.name()));
                }
            }
        }
        if (!taken.isEmpty()) {
            taken.add("end that process, or move all ports: --port-offset " + (offset < 10_000 ? offset + 10 : 10));
            throw new IOException(String.join("\n", taken));
        }
    }
}
