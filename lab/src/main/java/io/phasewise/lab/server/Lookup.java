/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

/**
 * The result of looking for something to run.
 *
 * @param <T> what is known of it when it is there
 */
public sealed interface Lookup<T> {

    /** It is there. */
    record Found<T>(T installation) implements Lookup<T> {}

    /**
     * It is not to be had.
     *
     * @param reason what was looked at and why it will not do
     * @param howToGet what to do about it, as a sentence for the user
     */
    record Missing<T>(String reason, String howToGet) implements Lookup<T> {}
}
