/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.cli;

import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The command half an hour after noon of 21 November 2026, without a terminal: what it says and how it waits. */
final class CommandRun {

    static final Instant NOW = Instant.parse("2026-11-21T12:34:56Z");

    /** The time that it waited between tries. */
    final List<Duration> pauses = new ArrayList<>();

    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    CommandLine command() {
        return ReportCommand.line(new ReportCommand(
                new Screen(new PrintStream(out), Terminal.plain()), InstantSource.fixed(NOW), () -> 0, pauses::add));
    }

    /** Its exit code. */
    int of(List<String> arguments) {
        return command()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }

    /** Takes away what was said. */
    void forget() {
        err.getBuffer().setLength(0);
    }

    /** What it said on standard error. */
    String said() {
        return err.toString();
    }
}
