/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Sends signals through one shell that is kept running, so that one arrives at once even where the
 * machine is too busy to start a program in time; when to send which is the caller's.
 */
final class Signals implements AutoCloseable {
    private final Process shell;
    private final Writer commands;
    private final BufferedReader answers;

    Signals() throws IOException {
        shell =
                new ProcessBuilder("/bin/sh")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        commands = shell.outputWriter(StandardCharsets.US_ASCII);
        answers = shell.inputReader(StandardCharsets.US_ASCII);
    }

    /** Returns when the signal is sent. */
    synchronized void send(String signal, long pid) throws IOException {
        commands.write("kill -" + signal + " " + pid + "; echo $?\n");
        commands.flush();
        String answer = answers.readLine();
        if (!"0".equals(answer)) {
            throw new IOException("kill -" + signal + " " + pid + ": " + answer);
        }
    }

    @Override
    public void close() {
        shell.destroy();
    }
}
