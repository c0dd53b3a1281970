/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The whole command lines of all processes, from /proc: a small system has no pgrep. */
public final class CommandLines {
    private CommandLines() {}

    /** The command lines that contain a text. */
    public static List<String> naming(String text) {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.filter(entry -> entry.getFileName().toString().matches("\\d+"))
                    .map(CommandLines::of)
                    .filter(line -> line.contains(text))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The command line of a process; empty when it has ended. */
    private static String of(Path process) {
        try {
            byte[] line = Files.readAllBytes(process.resolve("cmdline"));
            return new String(line, StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ')
                    .strip();
        } catch (IOException e) {
            return "";
        }
    }
}
