/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;

/** The topics of the canaries' probes are deleted; they make them again. */
public record DeletedTopic() implements Fault {
    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        Administration.await(
                "delete the canary's topic",
                target.cluster().admin().deleteTopics(target.topics()).all());
        return () -> {};
    }
}
