/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.lab.stack.LaunchException;
import io.phasewise.lab.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pause} and {@code resume}: whether the stack's canary sends probes. */
abstract class PauseCommand implements Callable<Integer> {

    private static final String ELSEWHERE =
            "A canary elsewhere: create the file that its pause-file names, or remove it.";

    private final Context context;

    @Mixin private StateDirectoryOption stateDirectory;

    private PauseCommand(Context context) {
        this.context = context;
    }

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Have the canary send no probes and change nothing, within a second or two."
                        + " Alerts on latency stay silent; after an hour there is a warning.",
                ELSEWHERE
            })
    static final class Pause extends PauseCommand {
        Pause(Context context) {
            super(context);
        }

        @Override
        String change(Path file) throws IOException {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
            return "The canary pauses; `resume` has it go on";
        }
    }

    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {"Have the canary send probes again.", ELSEWHERE})
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
    public Integer call() throws LaunchException {
        StateDirectory directory = stateDirectory.resolve(context);
        if (!directory.isOurs()) {
            throw LaunchException.usage("no stack was ever started in " + directory.path());
        }
        Path file = directory.pauseFile();
        try {
            context.screen().print(change(file));
        } catch (IOException e) {
            throw LaunchException.failed("cannot change " + file + ": " + e, e);
        }
        return ExitCode.DONE;
    }
}
