/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Children made of the shell, for tests that need a process: the log is NAME.log in a directory.
 */
public final class ShellChild {

    private ShellChild() {}

    public static ManagedProcess start(Path directory, String name, String script) throws IOException {
        return ManagedProcess.start(spec(directory, name, "sh", "-c", script));
    }

    static ProcessSpec spec(Path directory, String name, String... command) {
        Path log = directory.resolve(name + ".log");
        return new ProcessSpec(name, List.of(command), Map.of(), directory, log);
    }
}
