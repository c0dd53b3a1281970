/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import io.phasewise.common.cli.MissingException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Skips a test that needs a program which this machine does not have, such as Prometheus without
 * Go to build it, and says how to get the program. Registered for every module by META-
 * INF/services.
 * TestSummary fails a run with skipped tests where everything should be installed.
 */
public final class MissingIsSkipped implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        skipOrThrow(thrown);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        skipOrThrow(thrown);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        skipOrThrow(thrown);
    }

    private static void skipOrThrow(Throwable thrown) throws Throwable {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MissingException missing) {
                throw new TestAbortedException(missing.getMessage(), thrown);
            }
        }
        throw thrown;
    }
}
