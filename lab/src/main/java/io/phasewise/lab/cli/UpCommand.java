/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.progress.Screen;
import io.phasewise.lab.stack.Component;
import io.phasewise.lab.stack.Installation;
import io.phasewise.lab.stack.LaunchException;
import io.phasewise.lab.stack.RunningComponent;
import io.phasewise.lab.stack.StackDown;
import io.phasewise.lab.stack.StackPorts;
import io.phasewise.lab.stack.StackState;
import io.phasewise.lab.stack.StackUp;
import io.phasewise.lab.stack.StackWatch;
import io.phasewise.lab.stack.StateDirectory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code up}: starts the stack, shows where it is reached, watches it until Ctrl-C. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
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

    @Spec private CommandSpec spec;
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
    public Integer call() throws LaunchException, InterruptedException {
        OptionalInt offset = portOffset();
        Installation installation =
                new Installation(
                        context.root()
                                .orElseThrow(
                                        () ->
                                                LaunchException.usage(
                                                        "start through ./phasewise, or say where"
                                                                + " the repository is:"
                                                                + " -Dphasewise.root=DIR")));
        StateDirectory directory = stateDirectory.resolve(context);
        StackUp up =
                new StackUp(
                        installation,
                        directory,
                        context.screen(),
                        context.client(),
                        context.clock(),
                        context.nanoClock(),
                        context.environment());
        Instant begun = context.clock().instant();
        StackState state = up.up(offset, controllers());
        show(state, directory);
        return detach ? ExitCode.DONE : watch(directory, begun);
    }

    private OptionalInt portOffset() {
        if (portOffset == null) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(new StackPorts(portOffset, 0).offset());
        } catch (IllegalArgumentException outside) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port-offset: must be from 0 to "
                            + StackPorts.MAX_OFFSET
                            + ", was "
                            + portOffset,
                    outside);
        }
    }

    private OptionalInt controllers() {
        if (controllers == null) {
            return OptionalInt.empty();
        }
        if (controllers < 0 || controllers > StackPorts.MOST_CONTROLLERS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--controllers: must be from 0 to "
                            + StackPorts.MOST_CONTROLLERS
                            + ", was "
                            + controllers);
        }
        return OptionalInt.of(controllers);
    }

    private void show(StackState state, StateDirectory directory) {
        Screen screen = context.screen();
        screen.print("");
        for (RunningUrl entry : urls(state)) {
            screen.print(String.format("  %-14s %s", entry.what(), entry.url()));
        }
        screen.print("");
        screen.print("  logs and data in " + directory.path());
        if (detach) {
            screen.print("  `status` shows how it is, `down` stops it");
        } else {
            screen.print("  Ctrl-C stops everything");
        }
        screen.print("");
    }

    private record RunningUrl(String what, String url) {}

    private static List<RunningUrl> urls(StackState state) {
        List<RunningUrl> urls = new ArrayList<>();
        urls.add(
                new RunningUrl(
                        "Kafka",
                        new StackPorts(state.portOffset(), state.controllers()).bootstrap()));
        state.components().stream()
                .map(RunningComponent::component)
                .filter(component -> !component.isNode())
                .forEach(component -> urls.add(new RunningUrl(title(component), component.url())));
        return urls;
    }

    private static String title(Component component) {
        return switch (component.kind()) {
            case BROKER -> "Broker";
            case CONTROLLER -> "Controller";
            case CANARY -> "Canary";
            case PROMETHEUS -> "Prometheus";
            case ALERTMANAGER -> "Alertmanager";
            case GRAFANA -> "Grafana";
            case RECEIVER -> "Notifications";
            case NODE_EXPORTER -> "Host metrics";
        };
    }

    private int watch(StateDirectory directory, Instant begun)
            throws LaunchException, InterruptedException {
        StackWatch watch =
                new StackWatch(
                        directory,
                        context.screen(),
                        context.client(),
                        context.clock(),
                        context.zone(),
                        begun);
        try {
            return switch (watch.watch()) {
                case STOPPED -> {
                    context.screen().print("The stack was stopped by another command.");
                    yield ExitCode.DONE;
                }
                case DIED ->
                        throw LaunchException.failed(
                                "every component ended; see the logs in " + directory.path());
            };
        } catch (InterruptedException ctrlC) {
            context.screen().settle();
            context.screen().print("Stopping");
            new StackDown(directory, context.screen(), context.nanoClock()).down(STOP_PATIENCE);
            return ExitCode.DONE;
        }
    }
}
