/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import io.phasewise.lab.stack.CanaryJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVM that a measured process runs on: this one's, with the options that the canary has. */
public final class Jvm {
    private Jvm() {}

    /** A command line for a class or a jar. */
    public static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(CanaryJvm.options());
        command.addAll(arguments);
        return command;
    }
}
