/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.cli.StackOption;
import io.phasewise.common.progress.Screen;
import io.phasewise.common.stack.LocalStack;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What the commands get from the process they run in, so that tests can give them something else.
 *
 * @param home where a local stack keeps its state unless somebody says otherwise
 * @param workingDirectory what relative paths are relative to
 * @param program how the launcher was called, for commands that people are told to run
 * @param nanoClock monotonic, in nanoseconds
 * @param pause between two looks, or two tries of the same question
 */
record Context(
        Path home,
        Path workingDirectory,
        Map<String, String> environment,
        String program,
        Screen screen,
        InstantSource clock,
        LongSupplier nanoClock,
        Pause pause) {

    /** Lets time pass. */
    interface Pause {
        void pause(Duration time) throws InterruptedException;
    }

    /** Which local stack the option names. */
    LocalStack stack(StackOption option) {
        return option.stack(environment, home, workingDirectory);
    }

    void print(String line) {
        screen.print(line);
    }
}
