/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.List;
import java.util.Optional;

/**
 * One start of a stack: where everything is, and what of it does not run yet.
 *
 * @param absent what does not run
 */
record Start(
        Installation installation,
        StateDirectory directory,
        StackPorts ports,
        ComponentStarter starter,
        List<Component> absent) {

    Start {
        absent = List.copyOf(absent);
    }

    /** The one component of that kind; empty when it runs already. */
    Optional<Component> absent(ComponentKind kind) {
        return absent.stream().filter(component -> component.kind() == kind).findFirst();
    }

    /** The brokers and controllers that do not run. */
    List<Component> absentNodes() {
        return absent.stream().filter(component -> component.kind().isNode()).toList();
    }

    /** A port of this stack. */
    int port(ComponentKind kind) {
        return ports.of(kind);
    }
}
