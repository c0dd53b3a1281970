/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prediction;

/** Too little was measured; the message says what is missing. */
public final class InsufficientDataException extends Exception {

    private static final long serialVersionUID = 1L;

    public InsufficientDataException(String message) {
        super(message);
    }
}
