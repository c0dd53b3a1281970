/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.lab.kafka.KafkaCluster;

/**
 * A broker that was shut down in an orderly way and stays down; started again, it is back when
 * every partition has all its replicas in sync.
 *
 * @param broker its id
 */
public record StoppedBroker(int broker) implements Fault {
    @Override
    public String about() {
        return "broker " + broker + " is down";
    }

    @Override
    public Broken begin(FaultTarget target) throws InterruptedException {
        KafkaCluster cluster = target.cluster();
        boolean down = false;
        try {
            cluster.broker(broker).stop();
            down = true;
            return () -> back(cluster);
        } finally {
            if (!down) {
                back(cluster);
            }
        }
    }

    private void back(KafkaCluster cluster) throws InterruptedException {
        cluster.broker(broker).start();
        Replicas.awaitInSync(cluster);
    }
}
