/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.StepState;
import io.phasewise.lab.net.Probes;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * One start of a stack: starts each component's process, records it and waits until it is ready,
 * showing how far it has come. What to run is left to the caller. Safe for use by several threads.
 */
final class Start {
    private final Installation installation;
    private final StateKeeper keeper;
    private final List<Component> absent;
    private final Progress progress;
    private final HttpClient client;
    private final Set<String> working = ConcurrentHashMap.newKeySet();

    /**
     * @param absent what does not run
     */
    Start(
            Installation installation,
            StateKeeper keeper,
            List<Component> absent,
            Progress progress,
            HttpClient client) {
        this.installation = installation;
        this.keeper = keeper;
        this.absent = List.copyOf(absent);
        this.progress = progress;
        this.client = client;
    }

    Installation installation() {
        return installation;
    }

    StateDirectory directory() {
        return keeper.directory();
    }

    StackPorts ports() {
        return keeper.state().ports();
    }

    /** The one component of that kind; empty when it runs already. */
    Optional<Component> absent(ComponentKind kind) {
        return absent.stream().filter(component -> component.kind() == kind).findFirst();
    }

    /** The brokers and controllers that do not run. */
    List<Component> absentNodes() {
        return absent.stream().filter(component -> component.kind().isNode()).toList();
    }

    /** Where a component's output goes. */
    Path log(Component component) {
        return directory().log(component.name());
    }

    /** Starts, records, waits. */
    void run(Component component, ProcessSpec spec, Duration bound)
            throws LaunchException, InterruptedException {
        awaitReady(component, launch(component, spec), bound);
    }

    /** Starts and records; the log of the run before is put aside. */
    ManagedProcess launch(Component component, ProcessSpec spec)
            throws LaunchException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        working(component, "starting");
        directory().freshLog(component.name());
        try {
            ManagedProcess process = ManagedProcess.start(spec);
            keeper.started(new RunningComponent(component, process.identity(), spec.log()));
            return process;
        } catch (IOException failure) {
            throw LaunchException.failed(
                    component.name() + " cannot be started: " + failure.getMessage(), failure);
        }
    }

    /** Waits for the component's own word that it is ready. */
    void awaitReady(Component component, ManagedProcess process, Duration bound)
            throws InterruptedException {
        working(component, "waiting until it is ready");
        URI readiness = URI.create(component.at(component.kind().readiness()));
        Await.that(component.name() + " is ready", bound)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(Probes.answers(client, readiness));
        ready(component, component.url());
    }

    void working(Component component, String detail) {
        working.add(component.name());
        progress.update(component.name(), StepState.WORKING, detail);
    }

    /** Nothing is done about it now; the time until it goes on is not its own. */
    void waiting(Component component, String detail) {
        end(component, StepState.WAITING, detail);
    }

    void ready(Component component, String where) {
        end(component, StepState.READY, "ready, " + where);
    }

    void skipped(Component component, String detail) {
        end(component, StepState.SKIPPED, detail);
    }

    private void end(Component component, StepState state, String detail) {
        working.remove(component.name());
        progress.update(component.name(), state, detail);
    }

    /** Shows those that are under way as failed; called by the one thread that starts them. */
    void failUnfinished(Predicate<ComponentKind> those) {
        absent.stream()
                .filter(component -> those.test(component.kind()))
                .filter(component -> working.contains(component.name()))
                .forEach(component -> progress.update(component.name(), StepState.FAILED, ""));
    }
}
