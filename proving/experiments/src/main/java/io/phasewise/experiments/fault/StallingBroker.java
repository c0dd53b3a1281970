/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import java.time.Duration;

/**
 * A broker that is paused for a while, again and again.
 *
 * @param broker its id
 * @param pause how long each time
 * @param period from one to the next, longer than the pause
 */
public record StallingBroker(int broker, Duration pause, Duration period) implements Fault {
    public StallingBroker {
        new StallingProcess(pause, period);
    }

    @Override
    public Broken begin(FaultTarget target) {
        return new StallingProcess(pause, period)
                .begin(target.cluster().broker(broker).process().orElseThrow());
    }
}
