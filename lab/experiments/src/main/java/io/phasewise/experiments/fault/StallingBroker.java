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
 * @param standstill how long each time
 * @param period from one to the next, longer than the standstill
 */
public record StallingBroker(int broker, Duration standstill, Duration period) implements Fault {
    public StallingBroker {
        new StallingProcess(standstill, period);
    }

    @Override
    public String about() {
        return "broker "
                + broker
                + " is paused for "
                + standstill.toMillis()
                + " ms of every "
                + period.toMillis()
                + " ms";
    }

    /**
     * What a probe that waits for it waits in the mean, in milliseconds: it is due at any moment
     * with equal chance, so within a standstill with chance S/P, and then waits S/2.
     */
    public double meanWaitMillis() {
        double s = standstill.toMillis();
        return s * s / (2.0 * period.toMillis());
    }

    @Override
    public Broken begin(FaultTarget target) {
        return new StallingProcess(standstill, period)
                .begin(target.cluster().broker(broker).process().orElseThrow());
    }
}
