/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.pause;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultException;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.kafka.KafkaBroker;
import java.time.Duration;

/**
 * The active controller, in a process of its own, is paused for a while, again and again.
 *
 * @param standstill how long each pause is
 * @param period from the beginning of one pause to the next, longer than the standstill
 */
public record StallingController(Duration standstill, Duration period) implements Fault {
    public StallingController {
        new StallingProcess(standstill, period);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        int active = Administration.await(
                        "ask for the active controller",
                        target.cluster().admin().describeMetadataQuorum().quorumInfo())
                .leaderId();
        KafkaBroker controller = target.cluster().controllers().stream()
                .filter(each -> each.id() == active)
                .findFirst()
                .orElseThrow(() -> new FaultException("controller " + active + " is a broker"));
        return new StallingProcess(standstill, period)
                .begin(controller.process().orElseThrow());
    }
}
