/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

/** What a fault must do to the probes, whatever else it does. */
public enum Effect {
    /** Phases grow by a known amount. */
    MOVES_PHASES,
    /** Probes are slower, late or fail; else nothing was broken. */
    IS_FELT,
    /** No phase grows and no probe is lost or refused. */
    MOVES_NO_PHASE,
    /** No probe is lost or refused. */
    LOSES_NOTHING
}
