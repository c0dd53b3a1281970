/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.lab.kafka.KafkaCluster;

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

    /** Something that is broken until this is closed. */
    @FunctionalInterface
    interface Broken extends AutoCloseable {
        /** Mends it; does nothing the second time. */
        @Override
        void close() throws InterruptedException;
    }
}
