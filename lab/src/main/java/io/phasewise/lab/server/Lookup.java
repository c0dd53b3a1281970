/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.util.Optional;

/**
 * The result of looking for something to run.
 *
 * @param <T> what is known of it when it is there
 */
public sealed interface Lookup<T> {

    /** What was found; empty when it is missing. */
    default Optional<T> found() {
        return this instanceof Found<T> found
                ? Optional.of(found.installation())
                : Optional.empty();
    }

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
