/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.load.Producers;
import io.phasewise.lab.kafka.KafkaCluster;
import java.util.Map;

/**
 * An application that writes to a topic with three replicas: what brokers have to do beside.
 *
 * @param recordsPerSecond from 100
 * @param recordBytes of each value
 */
public record ApplicationLoad(int recordsPerSecond, int recordBytes) implements Fault {
    private static final String TOPIC = "phasewise-lab-application";
    private static final int PARTITIONS = 12;
    private static final Map<String, String> SETTINGS =
            Map.of("linger.ms", "5", "enable.metrics.push", "false", "metric.reporters", "");

    public ApplicationLoad {
        Allowed.range("records-per-second", recordsPerSecond, 100, 100_000);
        Allowed.range("record-bytes", recordBytes, 1, 900_000);
    }

    @Override
    public Broken begin(FaultTarget target) throws InterruptedException {
        Load load = new Load(1, recordsPerSecond, recordBytes, PARTITIONS, SETTINGS);
        KafkaCluster cluster = target.cluster();
        Administration.create(cluster.admin(), load.topic(TOPIC));
        Producers producers = new Producers(load, TOPIC, cluster.clientProperties());
        return () -> {
            producers.close();
            Administration.delete(cluster.admin(), TOPIC);
        };
    }
}
