/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.StepState;
import io.phasewise.lab.file.LockFile;
import io.phasewise.lab.net.Ports;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/**
 * Brings a whole stack up, or what of it does not run: all or nothing, side by side where one
 * component does not need another. Watching it afterwards is left to {@link StackWatch}.
 */
public final class StackUp {

    private final Installation installation;
    private final StateDirectory directory;
    private final Context context;

    public StackUp(Installation installation, StateDirectory directory, Context context) {
        this.installation = installation;
        this.directory = directory;
        this.context = context;
    }

    /**
     * Starts what does not run and waits until all of it is ready.
     *
     * @param portOffset empty for that of the last start, 0 at the first
     * @param controllers that are no brokers; empty for as many as at the last start, 0 at the
     *     first
     * @return what runs now
     * @throws LaunchException when something essential cannot be started; what this call started is
     *     ended again
     * @throws InterruptedException when interrupted; what this call started is ended again
     */
    public StackState up(OptionalInt portOffset, OptionalInt controllers)
            throws LaunchException, InterruptedException {
        installation.requireBuilt();
        directory.prepare();
        try (LockFile lock = directory.lock(Duration.ZERO)) {
            StackState before =
                    directory.read().orElseGet(() -> StackState.empty(new StackPorts(0, 0)));
            List<RunningComponent> alive = before.alive();
            StackPorts ports =
                    new StackPorts(
                            portOffset(portOffset, before.ports().offset(), !alive.isEmpty()),
                            controllers(controllers, before.ports().controllers()));
            before.remark(alive).ifPresent(context::print);
            StackState running = new StackState(ports, false, alive);
            List<Component> absent =
                    ports.components().stream()
                            .filter(component -> running.find(component.name()).isEmpty())
                            .toList();
            new PortCheck(Ports::isFree).requireFree(ports, absent);
            StateKeeper keeper = new StateKeeper(directory, running);
            start(keeper, absent);
            return keeper.state();
        }
    }

    private int portOffset(OptionalInt asked, int before, boolean anyRuns) throws LaunchException {
        int offset = asked.orElse(before);
        if (offset != before && anyRuns) {
            throw LaunchException.usage(
                    "--port-offset %d: the stack in %s runs with %d; end it first (down), or start another one with --state-dir"
                            .formatted(offset, directory.path(), before));
        }
        if (asked.isEmpty() && offset != 0 && !anyRuns) {
            context.print(
                    "Ports are moved by %d, as at the last start; --port-offset 0 moves them back."
                            .formatted(offset));
        }
        return offset;
    }

    /** Who votes is in the data. */
    private int controllers(OptionalInt asked, int before) throws LaunchException {
        int controllers = asked.orElse(before);
        if (controllers != before && directory.hasData()) {
            throw LaunchException.usage(
                    "--controllers %d: the data in %s is of a cluster with %d; remove it first (down --purge), or start another stack with --state-dir"
                            .formatted(controllers, directory.path(), before));
        }
        return controllers;
    }

    private void start(StateKeeper keeper, List<Component> absent)
            throws LaunchException, InterruptedException {
        StackState before = keeper.state();
        boolean up = false;
        try {
            List<String> remarks;
            try (Progress progress =
                    context.progress(
                            before.ports().components().stream().map(Component::name).toList())) {
                for (RunningComponent running : before.components()) {
                    progress.update(
                            running.name(),
                            StepState.READY,
                            "runs already, pid " + running.identity().pid());
                }
                Start start = new Start(installation, keeper, absent, progress, context.client());
                ServersStart servers = new ServersStart(start, context.environment());
                SideBySide.run(tasks(start, servers));
                remarks = servers.remarks();
            }
            remarks.forEach(context::print);
            up = true;
        } finally {
            if (!up) {
                endWhatWasStarted(keeper);
            }
        }
    }

    private static List<Callable<Void>> tasks(Start start, ServersStart servers) {
        JvmsStart jvms = new JvmsStart(start);
        CountDownLatch measuring = new CountDownLatch(1);
        return List.of(
                task(
                        start,
                        EnumSet.of(
                                ComponentKind.BROKER,
                                ComponentKind.CONTROLLER,
                                ComponentKind.CANARY),
                        () -> {
                            new BrokersStart(start).run();
                            jvms.startCanary();
                            measuring.countDown();
                        }),
                task(start, EnumSet.of(ComponentKind.RECEIVER), jvms::startReceiver),
                task(
                        start,
                        EnumSet.of(
                                ComponentKind.ALERTMANAGER,
                                ComponentKind.PROMETHEUS,
                                ComponentKind.NODE_EXPORTER),
                        () -> servers.startMonitoring(measuring)),
                task(start, EnumSet.of(ComponentKind.GRAFANA), servers::startGrafana));
    }

    private interface Task {
        void run() throws LaunchException, InterruptedException;
    }

    private static Callable<Void> task(Start start, Set<ComponentKind> kinds, Task task) {
        return () -> {
            try {
                task.run();
                return null;
            } catch (LaunchException | RuntimeException failure) {
                start.failUnfinished(kinds::contains);
                throw failure;
            }
        };
    }

    private void endWhatWasStarted(StateKeeper keeper) throws LaunchException {
        List<RunningComponent> started = keeper.startedHere();
        if (started.isEmpty()) {
            return;
        }
        context.print("Ending what was started");
        boolean interrupted = Thread.interrupted();
        try {
            StackDown.stop(started, context)
                    .forEach(failure -> context.print("could not be ended: " + failure));
        } catch (InterruptedException again) {
            interrupted = true;
        }
        keeper.forgetEnded();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
