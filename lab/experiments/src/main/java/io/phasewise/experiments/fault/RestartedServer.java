/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;

/**
 * A server is killed (SIGKILL) and started again on its data.
 *
 * @param server Prometheus or Alertmanager
 */
public record RestartedServer(ServerKind server) implements Fault {
    public RestartedServer {
        boolean watches = server == ServerKind.PROMETHEUS || server == ServerKind.ALERTMANAGER;
        Allowed.require(watches, "server", server, "prometheus, alertmanager");
    }

    @Override
    public Broken begin(FaultTarget target) throws IOException, InterruptedException {
        target.servers().orElseThrow().restart(server);
        return () -> {};
    }
}
