/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.restart;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.kafka.KafkaBroker;
import java.util.List;

/**
 * Brokers are shut down in an orderly way and started again, one after the other, once.
 *
 * @param brokers their ids, in this order
 */
public record RestartedBrokers(List<Integer> brokers) implements Fault {
    public RestartedBrokers {
        Allowed.ids("brokers", brokers);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        for (int id : brokers) {
            KafkaBroker broker = target.cluster().broker(id);
            try {
                broker.stop();
            } finally {
                broker.start();
            }
            // As an operator would: the next broker only when probes to this one come back.
            for (CanaryProcess canary : target.canaries()) {
                canary.awaitReady();
            }
        }
        return () -> {};
    }
}
