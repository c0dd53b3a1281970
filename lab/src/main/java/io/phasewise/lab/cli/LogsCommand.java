/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.OptionCheck;
import io.phasewise.common.cli.StackOption;
import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.stack.Context;
import io.phasewise.lab.stack.StackPorts;
import io.phasewise.lab.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code logs}: shows the end of a component's log, and follows it when asked. */
@Command(name = "logs")
final class LogsCommand implements Callable<Integer> {

    private static final int MOST_LINES = 100_000;
    private static final Duration FOREVER = Duration.ofDays(3_650);

    private final Context context;

    @Mixin
    private StackOption stack;

    @Parameters(paramLabel = "COMPONENT", descriptionKey = "component")
    private String component;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "LINES",
            defaultValue = "50")
    private int lines;

    @Option(names = {"-f", "--follow"})
    private boolean follow;

    LogsCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        List<String> names = StackPorts.names();
        if (!names.contains(component)) {
            throw new UsageException(
                    "COMPONENT: there is no '%s'; allowed: %s".formatted(component, String.join(", ", names)));
        }
        new OptionCheck().within("--lines", lines, 0, MOST_LINES).done();
        StateDirectory directory = context.stateDirectory(stack);
        Path log = directory.log(component);
        if (!Files.isRegularFile(log)) {
            throw new IOException(
                    "%s has no log in %s; it was not started there".formatted(component, directory.path()));
        }
        // -F follows the log of the next run too, and a log that is emptied.
        String tail = "exec tail -n \"$0\" " + (follow ? "-F" : "") + " \"$1\" 2>/dev/null";
        List<String> command = List.of("/bin/sh", "-c", tail, Integer.toString(lines), log.toString());
        try {
            CommandOutput.stream(command, null, Map.of(), FOREVER, context.screen()::print);
            return 0;
        } catch (InterruptedException ctrlC) {
            // Ctrl-C is how following ends.
            return 0;
        }
    }
}
