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
 * Starts processes of a stack's components, records them, waits until they are ready, and shows the
 * progress. The caller says what to run. Safe for use by several threads.
 *
 * <p>Each change is written to disk before anything else happens. So a launcher that is killed at
 * any instant leaves no process that is not recorded.
 */
final class StackStarter {
    private final Context context;
    private final StateDirectory directory;
    private final List<Component> absent;
    private final Progress progress;
    private final List<RunningComponent> startedHere = new ArrayList<>();
    private StackState state;

    /**
     * @param state on disk: what runs
     * @param absent components that do not run
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

    /** The components that did not run when this was made. */
    List<Component> absent() {
        return absent;
    }

    /** The log of a component. */
    Path log(Component component) {
        return directory.log(component.name());
    }

    /** Starts a process and records it; the log of the run before is kept under another name. */
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

    /** The components that this launcher has started, in that order. */
    synchronized List<RunningComponent> startedHere() {
        return List.copyOf(startedHere);
    }

    /**
     * Removes components from the state that this launcher has started and that have ended since.
     */
    synchronized void forgetEnded() throws IOException {
        List<RunningComponent> left = new ArrayList<>(state.components());
        left.removeIf(running -> startedHere.contains(running) && !running.alive());
        state = state.of(left);
        directory.write(state);
    }

    /** Waits until the component's readiness check succeeds. */
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
