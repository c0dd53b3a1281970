/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The output of a short-lived command, and how it ended.
 *
 * @param status its exit status; -1 when it was killed for taking too long
 * @param lines of standard output and standard error
 */
public record CommandOutput(int status, List<String> lines) {

    private static final Duration READING_BOUND = Duration.ofSeconds(5);

    /**
     * Runs a command to its end.
     *
     * @param directory where it runs; null for the current one
     * @param bound it is killed when it takes longer
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; the command is killed
     */
    public static CommandOutput of(List<String> command, Path directory, Duration bound)
            throws IOException, InterruptedException {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        int status = stream(command, directory, Map.of(), bound, lines::add);
        return new CommandOutput(status, List.copyOf(lines));
    }

    /**
     * Runs a command to its end and hands on each line of its output at once.
     *
     * @param environment added to that of this process
     * @param line takes each line, on another thread
     * @return its status, as {@link #of} gives it
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; the command is killed
     */
    public static int stream(
            List<String> command,
            Path directory,
            Map<String, String> environment,
            Duration bound,
            Consumer<String> line)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory == null ? null : directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        Thread reader = new Thread(() -> read(process, line), "output-of-" + command.get(0));
        reader.setDaemon(true);
        reader.start();
        boolean ended = false;
        try {
            ended = process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            if (!ended) {
                // With its children: a compiler left behind would keep the machine busy.
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        // A grandchild may hold the pipe open, so there is a bound.
        reader.join(READING_BOUND.toMillis());
        return ended ? process.exitValue() : -1;
    }

    private static void read(Process process, Consumer<String> line) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line);
        } catch (IOException | UncheckedIOException pipeClosedBecauseKilled) {
            return;
        }
    }

    /** The lines as one text, with a line break between two. */
    public String text() {
        return String.join("\n", lines).strip();
    }
}
