/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/**
 * A quota for every client id, on what it reads or writes.
 *
 * @param quota Kafka's name of the quota
 * @param bytesPerSecond from 1
 */
public record ClientQuota(String quota, double bytesPerSecond) implements Fault {
    private static final Set<String> QUOTAS = Set.of("consumer_byte_rate", "producer_byte_rate");

    public ClientQuota {
        Allowed.require(quota != null && QUOTAS.contains(quota), "quota", quota, QUOTAS.toString());
        Allowed.range("bytes-per-second", bytesPerSecond, 1, 1e12);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        alter(target.cluster().admin(), bytesPerSecond);
        return () -> alter(target.cluster().admin(), null);
    }

    private void alter(Admin admin, Double value) throws InterruptedException {
        ClientQuotaEntity every = new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
        ClientQuotaAlteration.Op change = new ClientQuotaAlteration.Op(quota, value);
        Administration.await(
                "set " + quota,
                admin.alterClientQuotas(List.of(new ClientQuotaAlteration(every, List.of(change))))
                        .all());
    }
}
