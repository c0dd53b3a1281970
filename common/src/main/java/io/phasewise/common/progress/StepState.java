/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

/**
 * How far one step of a longer piece of work has come; what the steps are is left to the caller.
 */
public enum StepState {
    /** Not begun: it waits for another step. */
    WAITING,
    /** Under way. */
    WORKING,
    /** Done. */
    READY,
    /** Will not be done, and need not be. */
    SKIPPED,
    /** Could not be done. */
    FAILED;

    boolean over() {
        return this == READY || this == SKIPPED || this == FAILED;
    }
}
