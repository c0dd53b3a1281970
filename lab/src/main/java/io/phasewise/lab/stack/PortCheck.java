/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Refuses to start components whose ports are taken; picking other ports is left to the user.
 *
 * @param free whether a port is
 */
record PortCheck(IntPredicate free) {

    /**
     * Checks every port of the components.
     *
     * @throws LaunchException names each taken port, how to find its owner and the option that
     *     moves the ports
     */
    void requireFree(StackPorts ports, List<Component> components) throws LaunchException {
        List<String> taken = new ArrayList<>();
        for (Component component : components) {
            for (int port : ports.of(component)) {
                if (!free.test(port)) {
                    taken.add(
                            "port %d (%s) is taken; `ss -ltnp 'sport = :%1$d'` says by whom"
                                    .formatted(port, component.name()));
                }
            }
        }
        if (!taken.isEmpty()) {
            int suggestion = ports.offset() < 10_000 ? ports.offset() + 10 : 10;
            throw LaunchException.failed(
                    String.join("\n", taken)
                            + "\nend that process, or move all ports: --port-offset "
                            + suggestion);
        }
    }
}
