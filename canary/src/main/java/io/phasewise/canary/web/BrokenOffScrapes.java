/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import java.io.IOException;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Leaves out of the log of client_java's HTTP handler what is the client's doing: one that breaks
 * off a scrape has it print a stack trace each time, and whoever reaches the port may do that as
 * often as he likes. What fails in the canary itself passes.
 */
final class BrokenOffScrapes implements Filter {
    @Override
    public boolean isLoggable(LogRecord record) {
        return !(record.getThrown() instanceof IOException);
    }
}
