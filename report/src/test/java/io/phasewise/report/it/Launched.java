/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code ./phasewise report}, run to its end.
 *
 * @param status the exit code
 * @param output both streams
 */
record Launched(int status, String output) {

    private static final int PATIENCE_SECONDS = 120;

    /**
     * @param directory for its output
     */
    static Launched report(Path root, Path directory, List<String> options)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "report", ".out");
        List<String> command = new ArrayList<>();
        command.add(root.resolve("phasewise").toString());
        command.add("report");
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command);
        // Maven has just built it; a second build inside its run would race with it.
        builder.environment().put("PHASEWISE_NO_BUILD", "1");
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running:\n" + Files.readString(output));
        }
        return new Launched(process.exitValue(), Files.readString(output));
    }
}
