/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The agent's few log lines, on standard error: a broker's own logging must not be touched before
 * the broker has configured it, and java.util.logging not before its manager is chosen.
 *
 * <p>Safe for use by several threads.
 */
public final class AgentLog {

    private static final int MOST_CAUSES = 8;

    private final PrintStream out;
    private final Clock clock;

    /**
     * @param out takes the lines
     * @param clock dates them
     */
    public AgentLog(PrintStream out, Clock clock) {
        this.out = out;
        this.clock = clock;
    }

    /** One line about something that works. */
    public void info(String message) {
        line("INFO", message);
    }

    /** One line about something that does not. */
    public void error(String message) {
        line("ERROR", message);
    }

    /**
     * What failed and why, down to the first cause: some errors, such as that of a class that cannot
     * be initialised, say nothing themselves.
     */
    public static String words(Throwable failure) {
        StringBuilder words = new StringBuilder(failure.toString());
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (words.indexOf(cause.toString()) < 0) {
                words.append(", caused by ").append(cause);
            }
            cause = cause.getCause();
        }
        return words.toString();
    }

    private void line(String level, String message) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        String oneLine = message.replaceAll("\\s*\\R\\s*", " ");
        out.println(now + " " + level + " phasewise-exporter: " + oneLine);
    }
}
