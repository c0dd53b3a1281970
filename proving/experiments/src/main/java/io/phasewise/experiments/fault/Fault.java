/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.fault.kinds.FaultKinds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Breaks something that the lab started, and mends it again. A fault is data: a mapping in YAML
 * with its kind and the parameters of the record that carries it out. Each kind is in the list of
 * {@link FaultKinds}.
 */
public interface Fault {

    /** What brokers must have for a fault. */
    enum Need {
        /** A broker whose clock can be set. */
        CLOCK,
        /** Brokers that ask who may do what. */
        PERMISSIONS
    }

    /** What it needs beside brokers behind links. */
    default Set<Need> needs() {
        return Set.of();
    }

    /**
     * Why this machine cannot carry it out, for people; empty where it can.
     *
     * @param data where brokers keep their data
     * @throws InterruptedException when interrupted
     */
    default Optional<String> obstacle(Path data) throws InterruptedException {
        return Optional.empty();
    }

    /**
     * Breaks it; what it does then may depend on what a canary shows.
     *
     * @return mends it when closed; whoever breaks it closes this whatever happens
     * @throws IOException when something cannot be asked or started; nothing stays broken
     * @throws InterruptedException when interrupted; nothing stays broken
     */
    Broken begin(FaultTarget target) throws IOException, InterruptedException;

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

        /**
         * By how much it makes a probe later that must pass it and is due then, in milliseconds, by
         * arithmetic or by its own log; NaN where neither says.
         */
        default double addedMillis(Instant due) {
            return Double.NaN;
        }

        /** The same, which knows by how much it makes a probe later that is due at an instant. */
        default Broken adding(ToDoubleFunction<Instant> millis) {
            return new Logged(this, millis);
        }

        /**
         * Breaks or starts something in several steps; where one fails it is mended at once.
         *
         * @param mends also what is broken in part
         * @return mends
         */
        static Broken after(Step step, Broken mends) throws IOException, InterruptedException {
            boolean broken = false;
            try {
                step.take();
                broken = true;
                return mends;
            } finally {
                if (!broken) {
                    mends.close();
                }
            }
        }
    }

    /**
     * Something broken that knows what it adds.
     *
     * @param millis by how much it makes a probe later that is due at an instant
     */
    record Logged(Broken broken, ToDoubleFunction<Instant> millis) implements Broken {
        @Override
        public void close() throws InterruptedException {
            broken.close();
        }

        @Override
        public double addedMillis(Instant due) {
            return millis.applyAsDouble(due);
        }
    }

    /** What is done to break something. */
    @FunctionalInterface
    interface Step {
        /**
         * Does it; it may be done in part where it fails.
         *
         * @throws InterruptedException when interrupted, as what recurs is when it is mended
         */
        void take() throws IOException, InterruptedException;
    }
}
