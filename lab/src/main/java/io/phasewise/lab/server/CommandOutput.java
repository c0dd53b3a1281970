/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Runs a short-lived command to its end and hands its output on line by line. */
final class CommandOutput {

    private CommandOutput() {}

    /**
     * Runs a command.
     *
     * @param directory where; null for the current one
     * @param bound it is killed when it takes longer
     * @param line takes each line of standard output and standard error
     * @return the exit status; -1 when it was killed for taking too long
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; the command is killed
     */
    static int run(
            List<String> command,
            Path directory,
            Map<String, String> environment,
            Duration bound,
            Consumer<String> line)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"));
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        builder.environment().putAll(environment);
        Process process = builder.start();
        Thread reader =
                new Thread(
                        () -> read(process, line),
                        "output-of-" + Path.of(command.get(0)).getFileName());
        reader.setDaemon(true);
        reader.start();
        AtomicBoolean ended = new AtomicBoolean();
        try {
            ended.set(process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS));
        } finally {
            if (!ended.get()) {
                // With what it has started: a compiler left behind would keep the machine busy.
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        // A grandchild that holds the pipe must not hold us.
        reader.join(TimeUnit.SECONDS.toMillis(5));
        return ended.get() ? process.exitValue() : -1;
    }

    private static void read(Process process, Consumer<String> line) {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line.accept(text);
            }
        } catch (IOException pipeClosedBecauseKilled) {
            return;
        }
    }
}
