/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.List;

/**
 * Every port of a stack: the defaults, all moved by one offset so that two stacks fit on one
 * machine. Whether they are free is left to {@link PortCheck}.
 *
 * @param offset from 0 to {@link #MAX_OFFSET}
 * @param controllers that are no brokers, 0 to {@link #MOST_CONTROLLERS}; with none every broker is
 *     one, too
 */
public record StackPorts(int offset, int controllers) {

    /** How many controllers of their own a stack may have. */
    public static final int MOST_CONTROLLERS = 3;

    /** How many brokers a stack has. */
    public static final int BROKERS = 3;

    private static final int BROKER = 19092;
    private static final int CONTROLLER = 19095;
    private static final int EXPORTER = 7071;
    private static final int CANARY = 9470;
    private static final int PROMETHEUS = 9090;
    private static final int ALERTMANAGER = 9093;
    private static final int GRAFANA = 3000;
    private static final int RECEIVER = 9095;
    private static final int NODE_EXPORTER = 9100;

    /** With this offset the highest port is still one. */
    public static final int MAX_OFFSET = 65535 - (CONTROLLER + BROKERS - 1);

    /**
     * @throws IllegalArgumentException when the offset is outside its range
     */
    public StackPorts {
        if (offset < 0 || offset > MAX_OFFSET) {
            throw new IllegalArgumentException(
                    "port offset: must be from 0 to " + MAX_OFFSET + ", was " + offset);
        }
        if (controllers < 0 || controllers > MOST_CONTROLLERS) {
            throw new IllegalArgumentException(
                    "controllers: must be from 0 to " + MOST_CONTROLLERS + ", were " + controllers);
        }
    }

    /**
     * @param id from 1
     */
    public int broker(int id) {
        return BROKER + id - 1 + offset;
    }

    /**
     * @param id from 1
     */
    public int controller(int id) {
        return CONTROLLER + id - 1 + offset;
    }

    /**
     * @param id from 1
     */
    public int exporter(int id) {
        return EXPORTER + id - 1 + offset;
    }

    /**
     * @param id from 1
     */
    public int controllerExporter(int id) {
        return exporter(BROKERS + id);
    }

    public int canary() {
        return CANARY + offset;
    }

    public int prometheus() {
        return PROMETHEUS + offset;
    }

    public int alertmanager() {
        return ALERTMANAGER + offset;
    }

    public int grafana() {
        return GRAFANA + offset;
    }

    public int receiver() {
        return RECEIVER + offset;
    }

    public int nodeExporter() {
        return NODE_EXPORTER + offset;
    }

    /** All ports that the named component listens on. */
    List<Integer> of(String component) {
        return switch (component) {
            case "canary" -> List.of(canary());
            case "prometheus" -> List.of(prometheus());
            case "alertmanager" -> List.of(alertmanager());
            case "grafana" -> List.of(grafana());
            case "receiver" -> List.of(receiver());
            case "node-exporter" -> List.of(nodeExporter());
            default -> ofNode(component);
        };
    }

    private List<Integer> ofNode(String component) {
        int id = Integer.parseInt(component.substring(component.indexOf('-') + 1));
        if (component.startsWith("controller-")) {
            return List.of(controller(id), controllerExporter(id));
        }
        return controllers == 0
                ? List.of(broker(id), controller(id), exporter(id))
                : List.of(broker(id), exporter(id));
    }

    /** Bootstrap servers for Kafka clients on this machine. */
    public String bootstrap() {
        List<String> servers = new ArrayList<>();
        for (int id = 1; id <= BROKERS; id++) {
            servers.add("127.0.0.1:" + broker(id));
        }
        return String.join(",", servers);
    }
}
