/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.StepState;
import io.phasewise.lab.net.ReadinessChecks;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a stack once: starts each component's process, records it and waits until it is ready,
 * showing how far it has come. What to run is left to the caller. Safe for use by several threads.
 *
 * <p>Each change is on disk before anything else happens, so that a launcher killed at any instant
 * leaves no child unrecorded.
 */
final class StackStarter {
    private final Context context;
    private final StateDirectory directory;
    private final List<Component> absent;
    private final Progress progress;
    private final List<RunningComponent> startedHere = new ArrayList<>();
    private StackState state;

    /**
     * @param state what runs, as it is on disk
     * @param absent what does not run
     */
    StackStarter(
            Context context, StateDirectory directory, StackState state, List<Component> absent, Progress progress) {
        this.context = context;
        this.directory = directory;
        this.state = state;
        this.absent = List.copyOf(absent);
        this.progress = progress;
    }

    Context context() {
        return context;
    }

    StateDirectory directory() {
        return directory;
    }

    synchronized StackState state() {
        return state;
    }

    StackPorts ports() {
        return state().ports();
    }

    /** What does not run, when this begins. */
    List<Component> absent() {
        return absent;
    }

    /** Where a component's output goes. */
    Path log(Component component) {
        return directory.log(component.name());
    }

    /** Starts and records; the log of the run before is put aside. */
    ManagedProcess launch(Component component, ProcessSpec spec) throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        working(component, "starting");
        directory.freshLog(component.name());
        ManagedProcess process = ManagedProcess.start(spec);
        record(new RunningComponent(component, process.identity(), spec.log()));
        return process;
    }

    private synchronized void record(RunningComponent running) throws IOException {
        startedHere.add(running);
        state = state.with(running);
        directory.write(state);
    }

    /** What this launcher has started itself, in that order. */
    synchronized List<RunningComponent> startedHere() {
        return List.copyOf(startedHere);
    }

    /** Forgets those that this launcher has started and that have ended since. */
    synchronized void forgetEnded() throws IOException {
        List<RunningComponent> left = new ArrayList<>(state.components());
        left.removeIf(running -> startedHere.contains(running) && !running.alive());
        state = state.of(left);
        directory.write(state);
    }

    /** Waits for the component's own word that it is ready. */
    void awaitReady(Component component, ManagedProcess process, Duration bound) throws InterruptedException {
        working(component, "waiting until it is ready");
        URI readiness = URI.create(component.at(component.kind().readiness()));
        Await.that(component.name() + " is ready", bound)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(ReadinessChecks.answers(context.client(), readiness));
        show(component, StepState.READY, "ready, " + component.url());
    }

    void working(Component component, String detail) {
        show(component, StepState.WORKING, detail);
    }

    void show(Component component, StepState step, String detail) {
        progress.update(component.name(), step, detail);
    }
}
