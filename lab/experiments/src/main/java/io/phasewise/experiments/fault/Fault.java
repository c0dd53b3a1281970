/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;

/** Breaks something of a cluster that the lab started, and mends it again. */
public interface Fault {

    /** What is broken and by how much, for people. */
    String about();

    /**
     * Breaks it.
     *
     * @return mends it when closed; whoever breaks it closes this whatever happens
     * @throws InterruptedException when interrupted; nothing stays broken
     */
    Broken begin(KafkaCluster cluster) throws InterruptedException;

    /**
     * Breaks it where a canary watches; what it does then may depend on what the canary shows.
     *
     * @return mends it when closed
     * @throws IOException when the canary cannot be asked; nothing stays broken
     * @throws InterruptedException when interrupted; nothing stays broken
     */
    default Broken begin(KafkaCluster cluster, CanaryProcess canary)
            throws IOException, InterruptedException {
        return begin(cluster);
    }

    /** Something that is broken until this is closed. */
    @FunctionalInterface
    interface Broken extends AutoCloseable {
        /**
         * Mends it; does nothing the second time.
         *
         * @throws FaultException when it was not there all the time; it is mended all the same
         */
        @Override
        void close() throws InterruptedException;
    }
}
