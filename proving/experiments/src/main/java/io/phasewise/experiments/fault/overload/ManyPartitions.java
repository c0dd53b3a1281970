/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.overload;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.io.IOException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Partitions that nobody writes to. Followers fetch them all the same.
 *
 * @param partitions each with three replicas
 */
public record ManyPartitions(int partitions) implements Fault {
    private static final String TOPIC = "phasewise-lab-bystander";

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        Admin admin = target.cluster().admin();
        return ActiveFault.after(
                () -> Administration.create(admin, new NewTopic(TOPIC, partitions, (short) 3)),
                () -> Administration.delete(admin, TOPIC));
    }
}
