/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

/** What was to be done cannot be, for a reason that the message explains: no defect of ours. */
public abstract class ExplainedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected ExplainedException(String message) {
        super(message);
    }
}
