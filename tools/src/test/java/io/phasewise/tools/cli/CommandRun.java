/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The report half an hour after noon of 21 November 2026, without a terminal: what it says and how it waits. */
final class CommandRun {

    static final Instant NOW = Instant.parse("2026-11-21T12:34:56Z");

    /** The time that it waited between tries. */
    final List<Duration> pauses = new ArrayList<>();

    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Context context() {
        Screen screen = new Screen(new PrintStream(out), Terminal.plain());
        Path nowhere = Path.of("nowhere");
        return new Context(
                nowhere, nowhere, Map.of(), "phasewise", screen, InstantSource.fixed(NOW), () -> 0, pauses::add);
    }

    /** Its exit code. */
    int of(List<String> arguments) {
        List<String> line = new ArrayList<>(List.of("report"));
        line.addAll(arguments);
        return Main.run(
                context(),
                () -> false,
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                line.toArray(String[]::new));
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
