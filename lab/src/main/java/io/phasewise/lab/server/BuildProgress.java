/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

/**
 * Is told how far the build of a server has come; showing it is left to whoever asked for the
 * build.
 */
@FunctionalInterface
public interface BuildProgress {

    /** What the build does. */
    enum Stage {
        /** Somebody else on this machine builds the same; theirs will be used. */
        WAITING,
        /** Gets sources. */
        DOWNLOADING,
        /** Compiles packages. */
        COMPILING
    }

    /**
     * A step is done.
     *
     * @param done steps so far, from 0
     * @param total steps at most, 0 when not known; what is compiled already is left out, so it may
     *     be over sooner
     */
    void at(Stage stage, int done, int total);
}
