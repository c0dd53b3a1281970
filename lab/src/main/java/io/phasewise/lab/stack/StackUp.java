/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.cli.UsageException;
import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.StepState;
import io.phasewise.lab.file.LockFile;
import io.phasewise.lab.net.Ports;
import io.phasewise.lab.process.ParallelTasks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Starts a whole stack, or those of its components that do not run: all or none. Components that do
 * not need each other start side by side. {@link StackWatch} watches the stack afterwards.
 */
public final class StackUp {

    private final StateDirectory directory;
    private final Context context;

    public StackUp(StateDirectory directory, Context context) {
        this.directory = directory;
        this.context = context;
    }

    /**
     * Starts the components that do not run, and waits until all are ready.
     *
     * @param portOffset empty: that of the last start, 0 at the first start
     * @param controllers in processes of their own; empty: as many as at the last start, 0 at
     *     the first start
     * @return the state of the running stack
     * @throws IOException when an essential component cannot be started; what this call started
     *     is ended again, also with unchecked exceptions
     * @throws InterruptedException when interrupted; what this call started is ended again
     */
    public StackState up(Optional<Integer> portOffset, Optional<Integer> controllers)
            throws IOException, InterruptedException {
        context.installation().requireBuilt();
        directory.prepare();
        try (LockFile lock = directory.lock(Duration.ZERO)) {
            StackState before = directory.read().orElseGet(() -> StackState.empty(new StackPorts(0, 0)));
            List<RunningComponent> alive = before.alive();
            StackPorts ports = ports(portOffset, controllers, before.ports(), !alive.isEmpty());
            before.remark(alive).ifPresent(context::print);
            StackState running = new StackState(ports, false, alive);
            List<Component> absent = ports.components().stream()
                    .filter(component -> running.find(component.name()).isEmpty())
                    .toList();
            ports.requireFree(absent, Ports::isFree);
            directory.write(running);
            return start(running, absent);
        }
    }

    /**
     * The ports that are asked for, else those of the last start. The number of controllers cannot
     * change: the voters are part of the data.
     */
    private StackPorts ports(
            Optional<Integer> portOffset, Optional<Integer> controllers, StackPorts before, boolean anyRuns) {
        StackPorts ports = new StackPorts(portOffset.orElse(before.offset()), controllers.orElse(before.controllers()));
        if (ports.offset() != before.offset() && anyRuns) {
            throw new UsageException(
                    "--port-offset %d: the stack in %s runs with %d; end it first (down), or start another one with --state-dir"
                            .formatted(ports.offset(), directory.path(), before.offset()));
        }
        if (ports.controllers() != before.controllers() && directory.hasData()) {
            throw new UsageException(
                    "--controllers %d: the data in %s is of a cluster with %d; remove it first (down --purge), or start another stack with --state-dir"
                            .formatted(ports.controllers(), directory.path(), before.controllers()));
        }
        if (portOffset.isEmpty() && ports.offset() != 0 && !anyRuns) {
            context.print("Ports are moved by %d, as at the last start; --port-offset 0 moves them back."
                    .formatted(ports.offset()));
        }
        return ports;
    }

    private StackState start(StackState before, List<Component> absent) throws IOException, InterruptedException {
        List<Component> all = before.ports().components();
        Progress progress = context.progress(all.stream().map(Component::name).toList());
        StackStarter starter = new StackStarter(context, directory, before, absent, progress);
        boolean up = false;
        try {
            ServerStarter servers = new ServerStarter(starter);
            try (progress) {
                for (RunningComponent running : before.components()) {
                    String runs = "runs already, pid " + running.identity().pid();
                    starter.show(running.component(), StepState.READY, runs);
                }
                ParallelTasks.run(tasks(starter, servers));
            }
            servers.remarks().forEach(context::print);
            up = true;
            return starter.state();
        } finally {
            if (!up) {
                endWhatWasStarted(starter);
            }
        }
    }

    /** Servers are found or built one after the other, while the brokers start. */
    private static List<ParallelTasks.Task> tasks(StackStarter starter, ServerStarter servers) {
        return List.of(
                () -> {
                    new BrokerStarter(starter).run();
                    servers.start(ComponentKind.CANARY);
                    servers.canaryMeasures();
                },
                () -> servers.start(ComponentKind.RECEIVER),
                () -> {
                    servers.start(ComponentKind.ALERTMANAGER);
                    servers.start(ComponentKind.PROMETHEUS);
                    servers.start(ComponentKind.NODE_EXPORTER);
                },
                () -> servers.start(ComponentKind.GRAFANA));
    }

    private void endWhatWasStarted(StackStarter starter) throws IOException {
        List<RunningComponent> started = starter.startedHere();
        if (started.isEmpty()) {
            return;
        }
        context.print("Ending what was started");
        boolean interrupted = Thread.interrupted();
        try {
            StackDown.stop(started, context).forEach(failure -> context.print("could not be ended: " + failure));
        } catch (InterruptedException again) {
            interrupted = true;
        }
        starter.forgetEnded();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
