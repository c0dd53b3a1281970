/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.Locale;

/**
 * The kinds of components, with their ports, health checks and the order in which they are stopped.
 */
public enum ComponentKind {
    BROKER("Broker", 19092, "/-/healthy", 3),
    CONTROLLER("Controller", 19095, "/-/healthy", 4),
    CANARY("Canary", 9470, "/-/healthy", 0),
    PROMETHEUS("Prometheus", 9090, "/-/ready", 1),
    ALERTMANAGER("Alertmanager", 9093, "/-/ready", 1),
    GRAFANA("Grafana", 3000, "/api/health", 1),
    RECEIVER("Notifications", 9095, "/-/healthy", 2),
    NODE_EXPORTER("Host metrics", 9100, "/", 1);

    private final String title;
    private final int port;
    private final String liveness;
    private final int stopStage;

    ComponentKind(String title, int port, String liveness, int stopStage) {
        this.title = title;
        this.port = port;
        this.liveness = liveness;
        this.stopStage = stopStage;
    }

    /** The name in the state file and in JSON output. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Its name for people. */
    public String title() {
        return title;
    }

    /**
     * Whether it is a broker or a controller; these have an exporter.
     */
    public boolean isNode() {
        return this == BROKER || this == CONTROLLER;
    }

    /** The port of the first component of this kind, with a port offset of 0. */
    int port() {
        return port;
    }

    /** The path of its health check; cheap to answer, unlike a broker's metrics. */
    String liveness() {
        return liveness;
    }

    /** The path of its readiness check. */
    String readiness() {
        return this == CANARY ? "/-/ready" : liveness;
    }

    /**
     * Components of one stage are stopped side by side, stage after stage, from 0 on. The canary
     * comes first, so that it sees no broker end; brokers come last, and controllers after them.
     */
    int stopStage() {
        return stopStage;
    }
}
