/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.fault.AdjustableClock;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What faults are begun on: brokers of the lab, and what watches them.
 *
 * @param cluster the brokers
 * @param canaries that probe them; may be empty
 * @param topics that the canaries probe
 * @param clock of the one broker whose clock can be set; empty where there is none
 * @param servers Prometheus and Alertmanager; empty where they do not run
 */
public record FaultTarget(
        KafkaCluster cluster,
        List<CanaryProcess> canaries,
        List<String> topics,
        Optional<AdjustableClock> clock,
        Optional<Servers> servers) {

    /** Brokers with canaries, and nothing else. */
    public static FaultTarget of(KafkaCluster cluster, CanaryProcess... canaries) {
        return new FaultTarget(cluster, List.of(canaries), List.of(), Optional.empty(), Optional.empty());
    }

    /** Prometheus and Alertmanager. */
    public interface Servers {
        /** Kills one server (SIGKILL) and starts it again on its data. */
        void restart(ServerKind server) throws IOException, InterruptedException;

        /** Waits until Alertmanager has an alert. */
        void awaitReported(String alert, Duration bound) throws InterruptedException;

        /**
         * Puts a new canary in the place of the first.
         *
         * @return puts the first one back when it is closed
         */
        ActiveFault replaceCanary() throws IOException, InterruptedException;
    }
}
