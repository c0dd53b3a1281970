/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.measure.CanaryProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The canaries themselves are paused for a while, again and again.
 *
 * @param standstill how long each time
 * @param period from one to the next, longer than the standstill
 */
public record StallingCanary(Duration standstill, Duration period) implements Fault {
    public StallingCanary {
        new StallingProcess(standstill, period);
    }

    @Override
    public Broken begin(FaultTarget target) {
        List<Broken> all = new ArrayList<>();
        for (CanaryProcess canary : target.canaries()) {
            all.add(new StallingProcess(standstill, period).begin(canary.process()));
        }
        return new Several(all);
    }
}
