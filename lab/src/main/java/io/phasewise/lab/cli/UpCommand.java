/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.StackOption;
import io.phasewise.common.progress.Screen;
import io.phasewise.lab.stack.Context;
import io.phasewise.lab.stack.RunningComponent;
import io.phasewise.lab.stack.StackDown;
import io.phasewise.lab.stack.StackPorts;
import io.phasewise.lab.stack.StackState;
import io.phasewise.lab.stack.StackUp;
import io.phasewise.lab.stack.StackWatch;
import io.phasewise.lab.stack.StateDirectory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code up}: starts the stack, shows where it is reached, watches it until Ctrl-C. */
@Command(name = "up")
final class UpCommand implements Callable<Integer> {

    // Another command may be starting a broker or stopping the same stack at this moment.
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

    private final Context context;

    @Mixin
    private StackOption stack;

    @Option(names = {"-d", "--detach"})
    private boolean detach;

    @Option(names = "--port-offset", paramLabel = "N")
    private Integer portOffset;

    @Option(names = "--controllers", paramLabel = "N")
    private Integer controllers;

    UpCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        // Throws when an option is not allowed, before anything else is read.
        new StackPorts(Objects.requireNonNullElse(portOffset, 0), Objects.requireNonNullElse(controllers, 0));
        StateDirectory directory = context.stateDirectory(stack);
        Instant begun = context.clock().instant();
        StackState state =
                new StackUp(directory, context).up(Optional.ofNullable(portOffset), Optional.ofNullable(controllers));
        show(state, directory);
        return detach ? 0 : watch(directory, begun);
    }

    private void show(StackState state, StateDirectory directory) {
        Screen screen = context.screen();
        screen.print("");
        screen.print(line("Kafka", state.ports().bootstrap()));
        state.components().stream()
                .map(RunningComponent::component)
                .filter(component -> !component.kind().isNode())
                .map(component -> line(component.kind().title(), component.url()))
                .forEach(screen::print);
        screen.print("");
        screen.print("  logs and data in " + directory.path());
        screen.print(detach ? "  `status` shows how it is, `down` stops it" : "  Ctrl-C stops everything");
        screen.print("");
    }

    private static String line(String what, String url) {
        return "  %-14s %s".formatted(what, url);
    }

    private int watch(StateDirectory directory, Instant begun) throws IOException, InterruptedException {
        Screen screen = context.screen();
        try {
            new StackWatch(directory, context, begun).watch();
            screen.print("The stack was stopped by another command.");
        } catch (InterruptedException ctrlC) {
            screen.settle();
            screen.print("Stopping");
            new StackDown(directory, context).down(STOP_PATIENCE);
        }
        return 0;
    }
}
