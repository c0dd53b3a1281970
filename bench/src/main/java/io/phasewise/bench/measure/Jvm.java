/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import io.phasewise.lab.process.Programs;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVM that a measured process runs on: this one's, with the options that the canary has. */
public final class Jvm {
    private Jvm() {}

    /** A command line for a class or a jar. */
    public static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Programs.java());
        command.addAll(CanaryJvm.options());
        command.addAll(arguments);
        return command;
    }

    /**
     * Starts a class.
     *
     * @param log takes its standard error
     */
    public static Process start(Path log, String classPath, String main, List<String> arguments)
            throws IOException {
        List<String> all = new ArrayList<>();
        all.add("-Dlogback.configurationFile=bench-logback.xml");
        all.addAll(List.of("-cp", classPath, main));
        all.addAll(arguments);
        return new ProcessBuilder(command(all))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }
}
