/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.common.cli.ExplainedException;

/**
 * A fault was not there for as long as it should have been: what was measured meanwhile is not what
 * it was meant to be.
 */
public final class FaultException extends ExplainedException {
    private static final long serialVersionUID = 1;

    public FaultException(String message) {
        super(message);
    }

    /** It ended before it was mended. */
    public static FaultException endedEarly(Throwable reason) {
        String said = reason.getMessage();
        FaultException early = new FaultException(
                "the fault ended early: " + (said == null ? reason.getClass().getSimpleName() : said));
        early.initCause(reason);
        return early;
    }
}
