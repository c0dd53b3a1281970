/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.kafka.KafkaCluster;

/**
 * Brokers with another setting than in their files, given to all of them while they run.
 *
 * @param about what that makes of them, for people
 * @param key a setting that Kafka takes without a restart
 * @param value for as long as it lasts
 */
public record BrokerSetting(String about, String key, String value) implements Fault {
    private static final String ALL = "";

    @Override
    public Broken begin(FaultTarget target) throws InterruptedException {
        KafkaCluster cluster = target.cluster();
        Administration.configure(cluster.admin(), ALL, key, value);
        return () -> Administration.configure(cluster.admin(), ALL, key, null);
    }
}
