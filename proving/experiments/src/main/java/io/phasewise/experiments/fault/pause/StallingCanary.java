/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.pause;

import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.io.IOException;
import java.time.Duration;

/**
 * All canaries are paused for a while, again and again.
 *
 * @param standstill how long each pause is
 * @param period from the beginning of one pause to the next, longer than the standstill
 */
public record StallingCanary(Duration standstill, Duration period) implements Fault {
    public StallingCanary {
        new StallingProcess(standstill, period);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        StallingProcess stalling = new StallingProcess(standstill, period);
        return ActiveFaults.begin(target.canaries(), canary -> stalling.begin(canary.process()));
    }
}
