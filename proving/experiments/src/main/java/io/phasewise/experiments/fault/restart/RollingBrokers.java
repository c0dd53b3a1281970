/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.restart;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.RepeatedAction;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brokers that are shut down in an orderly way and started again, one after the other, all the
 * time.
 *
 * @param ids of those brokers, in their turn; empty for all
 */
public record RollingBrokers(List<Integer> ids) implements Fault {
    /** A shutdown and a start that were under way, each within its own bound. */
    private static final Duration END_BOUND = Duration.ofSeconds(120);

    /** So long a restarted broker follows before the next one goes. */
    private static final Duration BETWEEN = Duration.ofSeconds(3);

    public RollingBrokers {
        ids = ids == null ? List.of() : List.copyOf(ids);
    }

    @Override
    public Broken begin(FaultTarget target) {
        KafkaCluster cluster = target.cluster();
        List<KafkaBroker> rolled = ids.isEmpty()
                ? cluster.brokers()
                : ids.stream().map(cluster::broker).toList();
        AtomicInteger turns = new AtomicInteger();
        return RepeatedAction.pausing(
                BETWEEN,
                () -> {
                    KafkaBroker broker = rolled.get(turns.getAndIncrement() % rolled.size());
                    broker.stop();
                    broker.start();
                },
                END_BOUND,
                () -> {
                    // What a restart that was broken off left down is up again, and catches up.
                    cluster.launch();
                    cluster.awaitReady();
                    cluster.awaitInSync();
                });
    }
}
