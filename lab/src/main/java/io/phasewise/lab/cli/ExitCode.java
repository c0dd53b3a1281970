/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.lab.stack.LaunchException;

/** What the launcher's exit statuses mean. */
final class ExitCode {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int MISSING = 3;

    private ExitCode() {}

    static int of(LaunchException.Reason reason) {
        return switch (reason) {
            case FAILED -> FAILED;
            case USAGE -> USAGE;
            case MISSING -> MISSING;
        };
    }
}
