/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Brokers that are shut down in an orderly way and started again, one after the other, all the
 * time.
 *
 * @param ids of those brokers, in their turn; empty for all
 */
public record RollingBrokers(List<Integer> ids) implements Fault {
    /** A shutdown and a start that were under way, each within its own bound. */
    private static final long END_SECONDS = 120;

    /** So long a restarted broker follows before the next one goes. */
    private static final long BETWEEN_MS = 3_000;

    public RollingBrokers {
        ids = List.copyOf(ids);
    }

    /** All brokers. */
    public RollingBrokers() {
        this(List.of());
    }

    @Override
    public String about() {
        if (ids.size() == 1) {
            return "broker "
                    + ids.get(0)
                    + " is restarted in an orderly way, again and again, all the time";
        }
        return "brokers are restarted in an orderly way, one after the other, all the time";
    }

    @Override
    public Broken begin(KafkaCluster cluster) {
        Thread roller = new Thread(() -> roll(cluster), "roller");
        roller.start();
        return () -> {
            roller.interrupt();
            roller.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
            for (KafkaBroker broker : cluster.brokers()) {
                broker.start();
            }
        };
    }

    private void roll(KafkaCluster cluster) {
        List<KafkaBroker> rolled =
                ids.isEmpty() ? cluster.brokers() : ids.stream().map(cluster::broker).toList();
        try {
            while (true) {
                for (KafkaBroker broker : rolled) {
                    broker.stop();
                    broker.start();
                    Thread.sleep(BETWEEN_MS);
                }
            }
        } catch (InterruptedException over) {
            // The one who interrupts starts what is down.
            return;
        }
    }
}
