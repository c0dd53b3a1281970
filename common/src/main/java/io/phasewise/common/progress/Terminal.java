/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the place that output goes to can show; decided once, at start. Writing to it is left to
 * {@link Screen}.
 */
public final class Terminal {

    /** A terminal's colours, by their SGR number. */
    public enum Colour {
        RED(31),
        GREEN(32),
        YELLOW(33),
        CYAN(36),
        GREY(90);

        private final int code;

        Colour(int code) {
            this.code = code;
        }
    }

    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

    private final boolean interactive;
    private final boolean colour;
    private final boolean unicode;

    /**
     * @param interactive whether lines can be redrawn in place
     * @param colour whether colours are wanted: only on a terminal, and never when NO_COLOR is set
     * @param unicode whether symbols outside ASCII come out as intended
     */
    public Terminal(boolean interactive, boolean colour, boolean unicode) {
        this.interactive = interactive;
        this.colour = colour;
        this.unicode = unicode;
    }

    /**
     * Looks at standard output and at the environment.
     *
     * @param environment the process's environment: TERM, NO_COLOR, LC_ALL, LC_CTYPE and LANG are
     *     read
     */
    public static Terminal detect(Map<String, String> environment) {
        return of(environment, standardOutputIsTerminal());
    }

    static Terminal of(Map<String, String> environment, boolean terminal) {
        String term = environment.getOrDefault("TERM", "");
        boolean interactive = terminal && !term.isEmpty() && !term.equals("dumb");
        boolean colour = interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
        String locale = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(key -> environment.getOrDefault(key, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("")
                .toLowerCase(Locale.ROOT);
        boolean unicode = interactive && (locale.contains("utf-8") || locale.contains("utf8"));
        return new Terminal(interactive, colour, unicode);
    }

    /** A place that shows plain lines only: a file, a pipe. */
    public static Terminal plain() {
        return new Terminal(false, false, false);
    }

    /** Whether lines can be redrawn in place. */
    public boolean interactive() {
        return interactive;
    }

    /** Whether colours are wanted. */
    public boolean colour() {
        return colour;
    }

    /** Whether symbols outside ASCII come out as intended. */
    public boolean unicode() {
        return unicode;
    }

    /** The text in that colour, or as it is where colours are not wanted. */
    public String paint(Colour colour, String text) {
        return this.colour ? "\u001b[" + colour.code + "m" + text + "\u001b[0m" : text;
    }

    private static boolean standardOutputIsTerminal() {
        // System.console() also wants standard input to be a terminal, and since Java 22 says yes
        // always: ask the system.
        try {
            String target = Files.readSymbolicLink(STANDARD_OUTPUT).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException noProc) {
            Console console = System.console();
            return console != null && Runtime.version().feature() < 22;
        }
    }
}
