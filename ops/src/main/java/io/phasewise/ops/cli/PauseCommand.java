/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import io.phasewise.common.cli.StackOption;
import io.phasewise.common.cli.UsageException;
import io.phasewise.common.stack.LocalStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pause} and {@code resume}: whether a local stack's canary sends probes. */
abstract class PauseCommand implements Callable<Integer> {

    private final Context context;

    @Mixin private StackOption option;

    private PauseCommand(Context context) {
        this.context = context;
    }

    @Command(name = "pause")
    static final class Pause extends PauseCommand {
        Pause(Context context) {
            super(context);
        }

        @Override
        String change(Path file) throws IOException {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
            return "The canary pauses; `resume` ends that";
        }
    }

    @Command(name = "resume")
    static final class Resume extends PauseCommand {
        Resume(Context context) {
            super(context);
        }

        @Override
        String change(Path file) throws IOException {
            return Files.deleteIfExists(file) ? "The canary goes on" : "The canary was not paused";
        }
    }

    /** Returns what to tell the reader. */
    abstract String change(Path file) throws IOException;

    @Override
    public Integer call() throws IOException {
        LocalStack stack = context.stack(option);
        if (!stack.exists()) {
            throw new UsageException("no stack was ever started in " + stack.directory());
        }
        context.print(change(stack.pauseFile()));
        return CommandLine.ExitCode.OK;
    }
}
