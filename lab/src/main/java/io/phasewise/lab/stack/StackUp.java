/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.StepState;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Brings a whole stack up, or what of it does not run: all or nothing, side by side where one
 * component does not need another. Watching it afterwards is left to {@link StackWatch}.
 */
public final class StackUp {

    private final Installation installation;
    private final StateDirectory directory;
    private final Screen screen;
    private final HttpClient client;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Map<String, String> environment;

    /**
     * @param environment where servers are looked for: PATH, XDG_CACHE_HOME, GRAFANA_HOME
     */
    public StackUp(
            Installation installation,
            StateDirectory directory,
            Screen screen,
            HttpClient client,
            InstantSource clock,
            LongSupplier nanoClock,
            Map<String, String> environment) {
        this.installation = installation;
        this.directory = directory;
        this.screen = screen;
        this.client = client;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.environment = environment;
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
        try (StateDirectory.Lock lock = directory.lock()) {
            StackState before = directory.read().orElseGet(() -> StackState.empty(0, 0));
            StateReview review = StateReview.of(before);
            StackPorts ports =
                    new StackPorts(
                            portOffset(portOffset, before, review),
                            controllers(controllers, before));
            review.remark().ifPresent(screen::print);
            requireFreePorts(ports, review);
            StateKeeper keeper =
                    new StateKeeper(
                            directory,
                            new StackState(
                                    ports.offset(), ports.controllers(), false, review.alive()));
            keeper.change(state -> state);
            start(ports, review, keeper);
            return keeper.state();
        }
    }

    private int portOffset(OptionalInt asked, StackState before, StateReview review)
            throws LaunchException {
        int offset = asked.orElse(before.portOffset());
        if (offset != before.portOffset() && !review.alive().isEmpty()) {
            throw LaunchException.usage(
                    "--port-offset "
                            + offset
                            + ": the stack in "
                            + directory.path()
                            + " runs with "
                            + before.portOffset()
                            + "; end it first (down), or start another one with --state-dir");
        }
        if (asked.isEmpty() && offset != 0 && review.alive().isEmpty()) {
            screen.print(
                    "Ports are moved by "
                            + offset
                            + ", as at the last start; --port-offset 0 moves them back.");
        }
        return offset;
    }

    /** Who votes is in the data. */
    private int controllers(OptionalInt asked, StackState before) throws LaunchException {
        int controllers = asked.orElse(before.controllers());
        if (controllers != before.controllers() && directory.hasData()) {
            throw LaunchException.usage(
                    "--controllers "
                            + controllers
                            + ": the data in "
                            + directory.path()
                            + " is of a cluster with "
                            + before.controllers()
                            + "; remove it first (down --purge), or start another stack with"
                            + " --state-dir");
        }
        return controllers;
    }

    private void requireFreePorts(StackPorts ports, StateReview review) throws LaunchException {
        Set<String> alive = new HashSet<>();
        review.alive().forEach(running -> alive.add(running.name()));
        List<String> absent =
                Components.names(ports).stream().filter(name -> !alive.contains(name)).toList();
        new PortCheck(new PortOwners(Path.of("/proc"))).requireFree(ports, absent);
    }

    private void start(StackPorts ports, StateReview review, StateKeeper keeper)
            throws LaunchException, InterruptedException {
        boolean up = false;
        List<String> remarks;
        try {
            try (Progress progress = Progress.open(screen, Components.names(ports), nanoClock)) {
                review.alive()
                        .forEach(
                                running ->
                                        progress.update(
                                                running.name(),
                                                StepState.READY,
                                                "runs already, pid " + running.identity().pid()));
                ComponentStarter starter =
                        new ComponentStarter(directory, keeper, progress, client, clock);
                ServersStart servers =
                        new ServersStart(installation, directory, ports, starter, environment);
                SideBySide.run(tasks(ports, keeper, starter, servers));
                remarks = servers.remarks();
            }
            remarks.forEach(screen::print);
            up = true;
        } finally {
            if (!up) {
                endWhatWasStarted(keeper);
            }
        }
    }

    private List<Callable<Void>> tasks(
            StackPorts ports, StateKeeper keeper, ComponentStarter starter, ServersStart servers) {
        StackState running = keeper.state();
        Map<String, Component> absent = new LinkedHashMap<>();
        for (Component component : Components.of(ports)) {
            if (running.find(component.name()).isEmpty()) {
                absent.put(component.name(), component);
            }
        }
        List<String> untilMeasuring =
                Components.of(ports).stream()
                        .filter(Component::isNode)
                        .map(Component::name)
                        .collect(Collectors.toCollection(ArrayList::new));
        untilMeasuring.add("canary");
        BrokersStart brokers = new BrokersStart(installation, directory, ports, starter);
        JvmsStart jvms = new JvmsStart(installation, directory, ports, starter);
        CountDownLatch measuring = new CountDownLatch(1);
        return List.of(
                task(
                        starter,
                        untilMeasuring,
                        () -> {
                            brokers.start(absent);
                            jvms.startCanary(absent);
                            measuring.countDown();
                        }),
                task(starter, List.of("receiver"), () -> jvms.startReceiver(absent)),
                task(
                        starter,
                        List.of("alertmanager", "prometheus", "node-exporter"),
                        () -> {
                            servers.startPrometheusAndAlertmanager(absent, measuring);
                            servers.startNodeExporter(absent);
                        }),
                task(starter, List.of("grafana"), () -> servers.startGrafana(absent)));
    }

    private interface Start {
        void run() throws LaunchException, InterruptedException;
    }

    private static Callable<Void> task(ComponentStarter starter, List<String> names, Start start) {
        return () -> {
            try {
                start.run();
                return null;
            } catch (LaunchException | RuntimeException failure) {
                starter.failUnfinished(names);
                throw failure;
            }
        };
    }

    private void endWhatWasStarted(StateKeeper keeper) throws LaunchException {
        List<RunningComponent> started = keeper.startedHere();
        if (started.isEmpty()) {
            return;
        }
        screen.print("Ending what was started");
        boolean interrupted = Thread.interrupted();
        List<String> names = started.stream().map(RunningComponent::name).toList();
        try (Progress progress = Progress.open(screen, names, nanoClock)) {
            new StackStopper(StackDown.GRACE)
                    .stop(started, progress)
                    .forEach(failure -> screen.print("could not be ended: " + failure));
        } catch (InterruptedException again) {
            interrupted = true;
        }
        StackState state = keeper.state();
        for (RunningComponent running : started) {
            if (!running.alive()) {
                state = state.without(running.name());
            }
        }
        StackState left = state;
        keeper.change(ignored -> left);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
