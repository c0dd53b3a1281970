/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What {@link ManagedProcess#start} needs to start a process.
 *
 * @param name what messages call the process, for instance {@code broker-1}
 * @param command program and arguments; the program is looked up on PATH unless it is a path
 * @param environment variables added to those of this process
 * @param directory the working directory; created when absent
 * @param log the file that standard output and standard error are appended to; its directory is
 *     created when absent
 */
public record ProcessSpec(
        String name, List<String> command, Map<String, String> environment, Path directory, Path log) {

    /** Copies its collections. */
    public ProcessSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** The same with another command. */
    public ProcessSpec withCommand(List<String> other) {
        return new ProcessSpec(name, other, environment, directory, log);
    }
}
