/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

/**
 * The question cannot be answered from what the server has; the message says why and what there is.
 */
public final class RefusedException extends Exception {

    private static final long serialVersionUID = 1;

    public RefusedException(String message) {
        super(message);
    }
}
