/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.declared;

/**
 * A declaration that is refused; the message names the file, the key, the value and what is
 * allowed.
 */
public final class InvalidDeclarationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    InvalidDeclarationException(String message, Throwable cause) {
        super(message, cause);
    }
}
