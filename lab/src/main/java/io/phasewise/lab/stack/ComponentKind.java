/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a component is; everything that depends on it beyond its name is decided elsewhere. */
public enum ComponentKind {
    BROKER,
    CONTROLLER,
    CANARY,
    PROMETHEUS,
    ALERTMANAGER,
    GRAFANA,
    RECEIVER,
    NODE_EXPORTER;

    /** The name in the state file and in JSON output. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<ComponentKind> ofLabel(String label) {
        return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
    }
}
