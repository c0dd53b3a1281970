/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.StackOption;
import io.phasewise.lab.stack.Context;
import io.phasewise.lab.stack.StackDown;
import io.phasewise.lab.stack.StateDirectory;
import java.io.IOException;
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
@Command(name = "down")
final class DownCommand implements Callable<Integer> {

    private final Context context;

    @Mixin
    private StackOption stack;

    @Option(names = "--purge")
    private boolean purge;

    DownCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        StateDirectory directory = context.stateDirectory(stack);
        int ended = new StackDown(directory, context).down(Duration.ZERO);
        context.screen()
                .print(
                        ended == 0
                                ? "Nothing was running in " + directory.path()
                                : "Stopped " + ended + (ended == 1 ? " process" : " processes"));
        if (purge) {
            context.screen().print(purge(directory));
        }
        return 0;
    }

    private static String purge(StateDirectory directory) throws IOException {
        if (!Files.exists(directory.path())) {
            return "Nothing to purge: there is no " + directory.path();
        }
        List<Path> left = directory.purge();
        if (left.isEmpty()) {
            return "Removed " + directory.path();
        }
        String names = left.stream().map(path -> path.getFileName().toString()).collect(Collectors.joining(", "));
        return "Removed the stack from %s; left, as no stack made it: %s".formatted(directory.path(), names);
    }
}
