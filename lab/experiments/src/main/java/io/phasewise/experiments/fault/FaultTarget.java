/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.fault.FalseClock;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What faults are put to: brokers of the lab and what watches them. */
public interface FaultTarget {
    /** The brokers. */
    KafkaCluster cluster();

    /** Those that watch them; none where nobody does. */
    List<CanaryProcess> canaries();

    /** Of the canaries' probes. */
    default List<String> topics() {
        return List.of("phasewise-canary");
    }

    /** Of the broker whose clock can be set. */
    default Optional<FalseClock> clock() {
        return Optional.empty();
    }

    /** What watches the canaries. */
    default Optional<Servers> servers() {
        return Optional.empty();
    }

    /** Prometheus and Alertmanager. */
    interface Servers {
        /** Kills one and starts it again on its data. */
        void restart(ServerKind server) throws IOException, InterruptedException;

        /** Waits until Alertmanager has an alert. */
        void awaitReported(String alert, Duration bound) throws InterruptedException;

        /**
         * Puts a fresh canary in the place of the first.
         *
         * @return has the first one back
         */
        Fault.Broken replaceCanary() throws IOException, InterruptedException;
    }

    /** Brokers with those that watch them, and nothing else. */
    record Watched(KafkaCluster cluster, List<CanaryProcess> canaries) implements FaultTarget {}

    /** Brokers with canaries. */
    static FaultTarget of(KafkaCluster cluster, CanaryProcess... canaries) {
        return new Watched(cluster, List.of(canaries));
    }
}
