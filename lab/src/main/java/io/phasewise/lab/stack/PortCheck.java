/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.net.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Refuses to start components whose ports are taken, and says by whom; picking other ports is left
 * to the user.
 */
final class PortCheck {

    private final IntPredicate free;
    private final PortOwners owners;

    PortCheck(PortOwners owners) {
        this(Ports::isFree, owners);
    }

    PortCheck(IntPredicate free, PortOwners owners) {
        this.free = free;
        this.owners = owners;
    }

    /**
     * Checks every port of the components.
     *
     * @param components their names
     * @throws LaunchException names each taken port, its owner and the option that moves the ports
     */
    void requireFree(StackPorts ports, List<String> components) throws LaunchException {
        List<String> taken = new ArrayList<>();
        for (String component : components) {
            for (int port : ports.of(component)) {
                if (!free.test(port)) {
                    taken.add(
                            "port "
                                    + port
                                    + " ("
                                    + component
                                    + ") is taken by "
                                    + owners.of(port)
                                            .map(o -> "pid " + o.pid() + " (" + o.name() + ")")
                                            .orElse("another user's process"));
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
