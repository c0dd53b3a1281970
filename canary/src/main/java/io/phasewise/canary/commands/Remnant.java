/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaFuture;

/**
 * Something in a cluster that a canary may have left, and what becomes of it.
 *
 * @param what it is, for the reader
 * @param why it is deleted, or left
 * @param commands by which its owner can take it away; empty where this program deletes all of it
 * @param deletion deletes it; empty where it is left
 */
record Remnant(String what, String why, List<String> commands, Optional<Deletion> deletion) {
    /** Asks the cluster to delete one thing. */
    interface Deletion {
        /**
         * Asks once.
         *
         * @return done when the cluster has done it
         */
        KafkaFuture<?> begin();
    }

    static Remnant deleted(String what, String why, Deletion deletion) {
        return new Remnant(what, why, List.of(), Optional.of(deletion));
    }

    /** A part of it is deleted; the commands are for the rest. */
    static Remnant deletedInPart(String what, String why, Deletion deletion, String... commands) {
        return new Remnant(what, why, List.of(commands), Optional.of(deletion));
    }

    static Remnant left(String what, String why, String... commands) {
        return new Remnant(what, why, List.of(commands), Optional.empty());
    }
}
