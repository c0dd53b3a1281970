/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.overload;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.load.Producers;
import io.phasewise.lab.kafka.KafkaCluster;

/**
 * An application that writes to a topic with three replicas, beside the probes.
 *
 * @param load what it writes
 */
public record ApplicationLoad(Load load) implements Fault {
    private static final String TOPIC = "phasewise-lab-application";

    public ApplicationLoad {
        Allowed.require(load != null, "load", load, "what producers do");
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        KafkaCluster cluster = target.cluster();
        Administration.create(cluster.admin(), load.topic(TOPIC));
        Producers producers = new Producers(load, TOPIC, cluster.clientProperties());
        return () -> {
            producers.close();
            Administration.delete(cluster.admin(), TOPIC);
        };
    }
}
