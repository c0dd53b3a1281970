/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.restart;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.util.Map;

/**
 * A server is killed (SIGKILL) and started again on its data.
 *
 * @param server Prometheus or Alertmanager
 */
public record RestartedServer(String server) implements Fault {
    private static final Map<String, ServerKind> SERVERS = Map.of(
            "alertmanager", ServerKind.ALERTMANAGER,
            "prometheus", ServerKind.PROMETHEUS);

    public RestartedServer {
        boolean known = server != null && SERVERS.containsKey(server);
        Allowed.require(known, "server", server, "alertmanager, prometheus");
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        target.servers().orElseThrow().restart(SERVERS.get(server));
        return () -> {};
    }
}
