/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.common.cli.ExplainedException;

/**
 * A fault was not in force for as long as it should have been, so the measurement is void.
 */
public final class FaultException extends ExplainedException {
    private static final long serialVersionUID = 1;

    public FaultException(String message) {
        super(message);
    }

    /** A fault that ended by itself, before it was mended. */
    public static FaultException endedEarly(Throwable reason) {
        String said = reason.getMessage();
        FaultException early = new FaultException(
                "the fault ended early: " + (said == null ? reason.getClass().getSimpleName() : said));
        early.initCause(reason);
        return early;
    }
}
