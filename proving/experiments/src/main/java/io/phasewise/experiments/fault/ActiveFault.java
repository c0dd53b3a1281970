/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import java.io.IOException;
import java.time.Instant;
import java.util.function.ToDoubleFunction;

/** A fault in force: something is broken until this is closed. */
@FunctionalInterface
public interface ActiveFault extends AutoCloseable {
    /**
     * Mends it; does nothing the second time.
     *
     * @throws FaultException when the fault was not in force all the time; it is mended all the
     *     same
     */
    @Override
    void close() throws InterruptedException;

    /**
     * How much longer a probe takes that is due at this instant and meets the fault, in
     * milliseconds: by arithmetic, or by the fault's own log. NaN where neither says.
     */
    default double addedMillis(Instant due) {
        return Double.NaN;
    }

    /** The same fault, with a function that says what it adds to a probe due at an instant. */
    default ActiveFault adding(ToDoubleFunction<Instant> millis) {
        return new Logged(this, millis);
    }

    /**
     * Breaks or starts something in several steps. Where a step fails, all is mended at once.
     *
     * @param mends undoes the steps, also when only some were taken
     * @return mends
     */
    static ActiveFault after(Step step, ActiveFault mends) throws IOException, InterruptedException {
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

    /**
     * A fault that knows what it adds.
     *
     * @param millis what it adds to a probe due at an instant, milliseconds
     */
    record Logged(ActiveFault broken, ToDoubleFunction<Instant> millis) implements ActiveFault {
        @Override
        public void close() throws InterruptedException {
            broken.close();
        }

        @Override
        public double addedMillis(Instant due) {
            return millis.applyAsDouble(due);
        }
    }

    /** One step that breaks something. */
    @FunctionalInterface
    interface Step {
        /**
         * Takes the step. One that fails may have been taken in part.
         *
         * @throws InterruptedException when interrupted; a step of a {@link RepeatedAction} is
         *     interrupted when the fault is mended
         */
        void take() throws IOException, InterruptedException;
    }
}
