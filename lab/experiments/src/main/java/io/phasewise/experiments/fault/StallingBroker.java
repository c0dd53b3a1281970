/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import java.time.Duration;

/**
 * A broker that stands still (SIGSTOP) for a while, again and again: what a long collection or a
 * starved host looks like from outside.
 *
 * @param broker its id
 * @param standstill how long each time
 * @param period from one to the next, longer than the standstill
 */
public record StallingBroker(int broker, Duration standstill, Duration period) implements Fault {

    /** At most so long until what was under way is over. */
    private static final Duration END_BOUND = Duration.ofSeconds(30);

    public StallingBroker {
        if (standstill.compareTo(period) >= 0) {
            throw new IllegalArgumentException(standstill + " of every " + period);
        }
    }

    @Override
    public String about() {
        return "broker "
                + broker
                + " stands still for "
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
    public Broken begin(KafkaCluster cluster) {
        KafkaBroker victim = cluster.broker(broker);
        return Recurring.every(period, () -> standStill(victim), END_BOUND, victim::resume);
    }

    private void standStill(KafkaBroker victim) throws InterruptedException {
        if (!victim.isAlive()) {
            throw new IllegalStateException(victim.name() + " has ended");
        }
        victim.pause();
        try {
            Thread.sleep(standstill.toMillis());
        } finally {
            victim.resume();
        }
    }
}
