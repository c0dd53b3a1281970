/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.Locale;

/** What a component is, and with it where it is reached and in which order it is stopped. */
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

    /** What people call it. */
    public String title() {
        return title;
    }

    /**
     * Whether it is one of Kafka's own processes, which have an exporter: a broker or a controller.
     */
    public boolean isNode() {
        return this == BROKER || this == CONTROLLER;
    }

    /** The port of the first one where ports are not moved. */
    int port() {
        return port;
    }

    /** Where it says that it is alive; cheap to answer, unlike a broker's metrics. */
    String liveness() {
        return liveness;
    }

    /** Where it says that it is fit for work. */
    String readiness() {
        return this == CANARY ? "/-/ready" : liveness;
    }

    /**
     * Components of one stage end side by side, one stage after the other from 0 on: the canary
     * first, so that it sees no broker go; the brokers last, and their controllers after them.
     */
    int stopStage() {
        return stopStage;
    }
}
