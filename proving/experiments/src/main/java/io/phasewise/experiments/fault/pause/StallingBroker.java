/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.pause;

import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.time.Duration;

/**
 * A broker that is paused for a while, again and again.
 *
 * @param broker its id
 * @param standstill how long each pause is
 * @param period from the beginning of one pause to the next, longer than the standstill
 */
public record StallingBroker(int broker, Duration standstill, Duration period) implements Fault {
    public StallingBroker {
        new StallingProcess(standstill, period);
    }

    @Override
    public ActiveFault begin(FaultTarget target) {
        return new StallingProcess(standstill, period)
                .begin(target.cluster().broker(broker).process().orElseThrow());
    }
}
