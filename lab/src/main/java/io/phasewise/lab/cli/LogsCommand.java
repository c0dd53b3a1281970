/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.lab.process.LogTail;
import io.phasewise.lab.stack.Components;
import io.phasewise.lab.stack.LaunchException;
import io.phasewise.lab.stack.StateDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code logs}: shows the end of a component's log, and follows it when asked. */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Show the end of a component's log.")
final class LogsCommand implements Callable<Integer> {

    private static final int MOST_LINES = 100_000;

    private final Context context;

    @Spec private CommandSpec spec;
    @Mixin private StateDirectoryOption stateDirectory;

    @Parameters(
            paramLabel = "COMPONENT",
            description =
                    "broker-1, ..., controller-1, ..., canary, prometheus, alertmanager, grafana,"
                            + " receiver or node-exporter.")
    private String component;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "LINES",
            defaultValue = "50",
            description = "How many lines, 0 to " + MOST_LINES + ". Default: ${DEFAULT-VALUE}.")
    private int lines;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on printing new lines, until Ctrl-C.")
    private boolean follow;

    LogsCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws LaunchException {
        List<String> names = Components.names();
        if (!names.contains(component)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "COMPONENT: there is no '"
                            + component
                            + "'; allowed: "
                            + String.join(", ", names));
        }
        if (lines < 0 || lines > MOST_LINES) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--lines: must be from 0 to " + MOST_LINES + ", was " + lines);
        }
        StateDirectory directory = stateDirectory.resolve(context);
        Path log = directory.log(component);
        if (!Files.isRegularFile(log)) {
            throw LaunchException.failed(
                    component
                            + " has no log in "
                            + directory.path()
                            + "; it was not started there");
        }
        if (follow) {
            follow(log);
        } else {
            LogTail.of(log, lines).forEach(context.screen()::print);
        }
        return ExitCode.DONE;
    }

    private void follow(Path log) throws LaunchException {
        try {
            new LogFollower(log, context.out()).follow(lines);
        } catch (InterruptedException ctrlC) {
            context.out().flush();
        }
    }
}
