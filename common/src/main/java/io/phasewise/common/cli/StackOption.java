/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import io.phasewise.common.stack.LocalStack;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * The option that names the state directory of a local stack; its help text is in a resource bundle
 * of the command.
 */
public final class StackOption {

    @Option(names = "--state-dir", paramLabel = "DIR")
    private Path directory;

    /** Which stack is meant, as {@link LocalStack#of} says. */
    public LocalStack stack(Map<String, String> environment, Path base, Path workingDirectory) {
        return LocalStack.of(directory, environment, base, workingDirectory);
    }

    /** The option as it was given on the command line; empty where it was not given. */
    public List<String> words() {
        return directory == null ? List.of() : List.of("--state-dir", directory.toString());
    }
}
