/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A directory for the files of one run, deleted at its end. When the run ends without closing it,
 * for instance by SIGKILL, a watching shell cleans up within seconds: it kills every process whose
 * command line names the directory, such as brokers and canary, also paused ones, and deletes the
 * directory.
 *
 * @param directory exists until this is closed
 * @param watcher the shell; it waits for a line, or for this process to end
 */
public record Scratch(Path directory, Process watcher) implements AutoCloseable {

    private static final String WATCH = JarResource.text(Scratch.class, "watch.sh");

    /** Makes a directory and starts its watcher. */
    public static Scratch create() throws IOException {
        Path directory = Files.createTempDirectory("phasewise-run");
        // In a session of its own: a signal to the run's process group must not end it.
        List<String> command = Programs.inOwnSession(List.of("/bin/sh", "-c", WATCH));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("SCRATCH", directory.toString());
        return new Scratch(directory, builder.start());
    }

    /** Deletes it with all that is in it. */
    @Override
    public void close() {
        try (OutputStream line = watcher.getOutputStream()) {
            line.write('\n');
        } catch (IOException gone) {
            // The watcher has ended already.
        }
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
