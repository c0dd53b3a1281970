/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Puts lines on standard output: lasting ones, and below them, on a terminal, an area that is
 * redrawn in place. What the lines say is left to its callers, who may be many threads.
 */
public final class Screen {

    private static final String ERASE_BELOW = "\u001b[J";
    // A line longer than the terminal is wide is cut off, not wrapped: a wrapped line would spoil
    // the redraw.
    private static final String WRAP_OFF = "\u001b[?7l";
    private static final String WRAP_ON = "\u001b[?7h";

    private final PrintStream out;
    private final Terminal terminal;
    private List<String> live = List.of();

    public Screen(PrintStream out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** On this process's standard output, as far as that can show it. */
    public static Screen ofStandardOutput() {
        return new Screen(
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
                Terminal.detect(System.getenv()));
    }

    /** Where the lines go, for what is no line. */
    public PrintStream out() {
        return out;
    }

    public Terminal terminal() {
        return terminal;
    }

    /** Prints a line that stays; the live area moves below it. */
    public synchronized void print(String line) {
        write(erase() + line + "\n" + draw());
    }

    /** Replaces the live area. Does nothing where lines cannot be redrawn. */
    public synchronized void live(List<String> lines) {
        if (!terminal.interactive()) {
            return;
        }
        String erase = erase();
        live = List.copyOf(lines);
        write(erase + draw());
    }

    /** Leaves the live area as it stands and starts a new, empty one below it. */
    public synchronized void settle() {
        live = List.of();
    }

    // Also when nothing is live: the terminal may have shown a ^C at the start of the line.
    private String erase() {
        if (!terminal.interactive()) {
            return "";
        }
        return (live.isEmpty() ? "" : "\u001b[" + live.size() + "A") + "\r" + ERASE_BELOW;
    }

    private String draw() {
        return live.isEmpty() ? "" : WRAP_OFF + String.join("\n", live) + "\n" + WRAP_ON;
    }

    // One write per change, so that a kill cannot leave the terminal half-way through an escape
    // sequence.
    private void write(String text) {
        out.print(text);
        out.flush();
    }
}
