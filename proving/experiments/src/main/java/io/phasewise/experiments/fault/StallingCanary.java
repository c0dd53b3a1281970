/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import java.io.IOException;
import java.time.Duration;

/**
 * The canaries themselves are paused for a while, again and again.
 *
 * @param pause how long each time
 * @param period from one to the next, longer than the pause
 */
public record StallingCanary(Duration pause, Duration period) implements Fault {
    public StallingCanary {
        new StallingProcess(pause, period);
    }

    @Override
    public Broken begin(FaultTarget target) throws IOException, InterruptedException {
        StallingProcess stalling = new StallingProcess(pause, period);
        return ActiveFaults.begin(target.canaries(), canary -> stalling.begin(canary.process()));
    }
}
