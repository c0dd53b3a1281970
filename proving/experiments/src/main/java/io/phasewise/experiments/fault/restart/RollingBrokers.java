/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.restart;

import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.RepeatedAction;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brokers are shut down in an orderly way and started again, one after the other, until it is
 * mended.
 *
 * @param ids of those brokers, in this order; empty for all
 */
public record RollingBrokers(List<Integer> ids) implements Fault {
    /** One shutdown and one start, each with a bound of its own. */
    private static final Duration END_BOUND = Duration.ofSeconds(120);

    /** Between the start of one broker and the shutdown of the next. */
    private static final Duration BETWEEN = Duration.ofSeconds(3);

    public RollingBrokers {
        ids = ids == null ? List.of() : List.copyOf(ids);
    }

    @Override
    public ActiveFault begin(FaultTarget target) {
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
                    // Mending may interrupt a restart: what is down is started again and catches
                    // up.
                    cluster.launch();
                    cluster.awaitReady();
                    cluster.awaitInSync();
                });
    }
}
