/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.kafka.KafkaCluster;

/**
 * A setting that is changed on all brokers while they run.
 *
 * @param about what the brokers do with this setting, for people
 * @param key a setting that Kafka takes without a restart
 * @param value until it is mended
 */
public record BrokerSetting(String about, String key, String value) implements Fault {
    private static final String ALL = "";

    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        KafkaCluster cluster = target.cluster();
        Administration.configure(cluster.admin(), ALL, key, value);
        return () -> Administration.configure(cluster.admin(), ALL, key, null);
    }
}
