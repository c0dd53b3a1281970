/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.cli.MissingException;
import io.phasewise.common.cli.StackOption;
import io.phasewise.common.stack.LocalStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pause} and {@code resume}: whether a local stack's canary sends probes. */
@Command
final class PauseCommand implements Callable<Integer> {

    private final Context context;
    private final boolean pauses;

    @Mixin
    private StackOption option;

    /**
     * @param pauses whether it is {@code pause}
     */
    PauseCommand(Context context, boolean pauses) {
        this.context = context;
        this.pauses = pauses;
    }

    @Override
    public Integer call() throws IOException {
        LocalStack stack = context.stack(option);
        if (!stack.exists()) {
            throw new MissingException(
                    "no stack was ever started in " + stack.directory(),
                    "start one with `./phasewise up`, or say another --state-dir");
        }
        Path file = stack.pauseFile();
        if (pauses) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
            context.print("The canary pauses; `resume` ends that");
        } else {
            boolean paused = Files.deleteIfExists(file);
            context.print(paused ? "The canary goes on" : "The canary was not paused");
        }
        return CommandLine.ExitCode.OK;
    }
}
