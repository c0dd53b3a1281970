/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

/** What the exit statuses mean. */
final class ExitCode {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;

    private ExitCode() {}
}
