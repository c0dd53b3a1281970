/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.lab.stack.LaunchException;
import io.phasewise.lab.stack.StackDown;
import io.phasewise.lab.stack.StateDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code down}: stops the stack, whoever started it. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description =
                "Stop the stack, whoever started it. Its data stays and is there again at the next"
                        + " up.")
final class DownCommand implements Callable<Integer> {

    private final Context context;

    @Mixin private StateDirectoryOption stateDirectory;

    @Option(names = "--purge", description = "Then remove data, logs, configuration and state.")
    private boolean purge;

    DownCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws LaunchException, InterruptedException {
        StateDirectory directory = stateDirectory.resolve(context);
        int ended =
                new StackDown(directory, context.screen(), context.nanoClock()).down(Duration.ZERO);
        context.screen()
                .print(
                        ended == 0
                                ? "Nothing was running in " + directory.path()
                                : "Stopped " + ended + (ended == 1 ? " process" : " processes"));
        if (purge) {
            purge(directory);
        }
        return ExitCode.DONE;
    }

    private void purge(StateDirectory directory) throws LaunchException {
        if (!Files.exists(directory.path())) {
            context.screen().print("Nothing to purge: there is no " + directory.path());
            return;
        }
        List<Path> left = directory.purge();
        context.screen()
                .print(
                        left.isEmpty()
                                ? "Removed " + directory.path()
                                : "Removed the stack from "
                                        + directory.path()
                                        + "; left, as no stack made it: "
                                        + left.stream()
                                                .map(path -> path.getFileName().toString())
                                                .collect(Collectors.joining(", ")));
    }
}
