/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

/** An option or a parameter has a value that is not allowed. A program then ends with status 2. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * @param message names the option, the value and what is allowed
     */
    public UsageException(String message) {
        super(message);
    }
}
