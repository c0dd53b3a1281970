/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.UsageException;
import io.phasewise.common.progress.Screen;
import io.phasewise.lab.stack.Context;
import io.phasewise.lab.stack.Installation;
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
@Command(
        name = "up",
        description = {
            "Start the stack: three brokers, the canary, Prometheus, Alertmanager with a local"
                    + " receiver, node-exporter, Grafana where it is found.",
            "Then show the latency of each broker and every notification until Ctrl-C, which stops"
                    + " everything.",
            "On a stack that runs, start what is missing, for instance a broker that was killed."
        })
final class UpCommand implements Callable<Integer> {

    // Another command may be bringing a broker back, or stopping the same stack, just now.
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

    private final Context context;

    @Mixin private StateDirectoryOption stateDirectory;

    @Option(
            names = {"-d", "--detach"},
            description = "Return as soon as everything is ready, and leave it running.")
    private boolean detach;

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            description = {
                "Move all ports up by N, from 0 to "
                        + StackPorts.MAX_OFFSET
                        + ". Default: as at the last start, 0 at first.",
                "Brokers 19092-19094 (controllers 19095-19097), exporters 7071-7073, canary 9470,"
                        + " Prometheus 9090, Alertmanager 9093, Grafana 3000, receiver 9095,"
                        + " node-exporter 9100."
            })
    private Integer portOffset;

    @Option(
            names = "--controllers",
            paramLabel = "N",
            description =
                    "Controllers that are no brokers, 0 to "
                            + StackPorts.MOST_CONTROLLERS
                            + ": processes of their own, with exporters on 7074-7076. Default: as"
                            + " at the last start, 0 at first, where every broker is one, too.")
    private Integer controllers;

    UpCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        // Refused before anything else is looked at.
        new StackPorts(
                Objects.requireNonNullElse(portOffset, 0),
                Objects.requireNonNullElse(controllers, 0));
        Installation installation =
                new Installation(
                        context.root()
                                .orElseThrow(
                                        () ->
                                                new UsageException(
                                                        "start through ./phasewise, or say where"
                                                                + " the repository is:"
                                                                + " -Dphasewise.root=DIR")));
        StateDirectory directory = stateDirectory.resolve(context);
        Instant begun = context.clock().instant();
        StackState state =
                new StackUp(installation, directory, context)
                        .up(Optional.ofNullable(portOffset), Optional.ofNullable(controllers));
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
        screen.print(
                detach
                        ? "  `status` shows how it is, `down` stops it"
                        : "  Ctrl-C stops everything");
        screen.print("");
    }

    private static String line(String what, String url) {
        return "  %-14s %s".formatted(what, url);
    }

    private int watch(StateDirectory directory, Instant begun)
            throws IOException, InterruptedException {
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
