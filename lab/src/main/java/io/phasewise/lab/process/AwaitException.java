/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import io.phasewise.common.cli.ExplainedException;

/**
 * Something waited for did not come: the bound passed, or a process it depends on ended. The
 * message says what was awaited, the last reason seen, and ends with the tails of the logs
 * concerned.
 */
public final class AwaitException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    AwaitException(String message) {
        super(message);
    }
}
