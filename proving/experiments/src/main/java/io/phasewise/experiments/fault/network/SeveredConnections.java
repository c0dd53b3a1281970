/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.network;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.RepeatedAction;
import java.time.Duration;

/**
 * All connections of clients to a broker break, again and again.
 *
 * @param broker its id
 * @param period from one break to the next
 */
public record SeveredConnections(int broker, Duration period) implements Fault {
    public SeveredConnections {
        Allowed.upTo("period", period, Duration.ofMinutes(1));
    }

    @Override
    public ActiveFault begin(FaultTarget target) {
        return RepeatedAction.every(period, target.cluster().clientLink(broker)::sever, () -> {});
    }
}
