/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

/** Is told how far reading has come. */
public interface Steps {

    /** Nobody is told. */
    Steps UNTOLD = new Steps() {};

    /**
     * Work on a step goes on.
     *
     * @param step what is read, in a few words
     * @param done how much of it
     * @param of how much there is
     */
    default void at(String step, int done, int of) {}

    /** A step is over; {@code found} says in a few words what was found. */
    default void over(String step, String found) {}
}
