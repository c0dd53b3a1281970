/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Breaks something that the lab started, and mends it again. A fault is data: a mapping in YAML
 * with its kind and the parameters of the record that carries it out. Each kind stands in the list
 * of {@code FaultKinds}.
 */
public interface Fault {

    /** What the cluster must have so that a fault can be begun. */
    enum Need {
        /** A broker whose clock can be set without that of the machine. */
        CLOCK,
        /** Brokers with an authorizer. */
        PERMISSIONS
    }

    /** What the cluster must have for it, apart from links in front of its brokers. */
    default Set<Need> needs() {
        return Set.of();
    }

    /**
     * Why this machine cannot carry it out, a sentence for people; empty where it can.
     *
     * @param data where brokers keep their data
     * @throws InterruptedException when interrupted
     */
    default Optional<String> obstacle(Path data) throws InterruptedException {
        return Optional.empty();
    }

    /**
     * Breaks it. Some faults wait first until a canary shows something.
     *
     * @return mends it when closed; the caller closes it whatever happens
     * @throws IOException when something cannot be asked or started; nothing stays broken
     * @throws InterruptedException when interrupted; nothing stays broken
     */
    ActiveFault begin(FaultTarget target) throws IOException, InterruptedException;
}
