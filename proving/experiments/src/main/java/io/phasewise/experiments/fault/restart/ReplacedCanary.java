/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.restart;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.io.IOException;
import java.time.Duration;

/**
 * A new canary takes the place of the first, once Alertmanager has an alert.
 *
 * @param after name of the alert
 */
public record ReplacedCanary(String after) implements Fault {
    /**
     * From the beginning of the fault until the alert: the rule's window, scrapes and evaluations.
     */
    private static final Duration BOUND = Duration.ofSeconds(90);

    public ReplacedCanary {
        Allowed.require(after != null, "after", after, "the name of an alert");
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        FaultTarget.Servers servers = target.servers().orElseThrow();
        servers.awaitReported(after, BOUND);
        return servers.replaceCanary();
    }
}
