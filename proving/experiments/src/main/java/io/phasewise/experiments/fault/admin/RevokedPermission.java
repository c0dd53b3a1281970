/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import io.phasewise.experiments.cluster.Permissions;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;

/** The canaries may not use their topics any more. */
public record RevokedPermission() implements Fault {
    @Override
    public Set<Need> needs() {
        return Set.of(Need.PERMISSIONS);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        Admin admin = target.cluster().admin();
        Permissions.revoke(admin, target.topics());
        return () -> Permissions.allow(admin, target.topics());
    }
}
