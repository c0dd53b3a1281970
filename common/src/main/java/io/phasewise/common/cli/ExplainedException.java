/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

/**
 * The command cannot do what it was asked to, for a reason that the message explains. It is no
 * defect of the program.
 */
public abstract class ExplainedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected ExplainedException(String message) {
        super(message);
    }
}
