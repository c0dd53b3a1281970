/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.StepState;
import io.phasewise.lab.process.ManagedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Ends processes of a stack in good order and for certain: the canary first, so that it sees no
 * broker go; the brokers last; each asked to end, and killed when it does not. Remembering that
 * they are gone is left to the caller.
 */
final class StackStopper {

    /** Components of one group end side by side, one group after the other. */
    private static final List<Set<ComponentKind>> ORDER =
            List.of(
                    Set.of(ComponentKind.CANARY),
                    Set.of(
                            ComponentKind.PROMETHEUS,
                            ComponentKind.ALERTMANAGER,
                            ComponentKind.GRAFANA,
                            ComponentKind.NODE_EXPORTER),
                    Set.of(ComponentKind.RECEIVER),
                    Set.of(ComponentKind.BROKER),
                    Set.of(ComponentKind.CONTROLLER));

    private final Duration grace;

    /**
     * @param grace how long each may take to end by itself
     */
    StackStopper(Duration grace) {
        this.grace = grace;
    }

    /**
     * Ends them all; a failure with one does not keep the others from being ended.
     *
     * @param progress has a step for each of them
     * @return what could not be ended, with the reason
     * @throws InterruptedException when interrupted while waiting; some may still run
     */
    List<String> stop(List<RunningComponent> components, Progress progress)
            throws InterruptedException {
        List<String> failures = new ArrayList<>();
        for (Set<ComponentKind> group : ORDER) {
            List<Thread> threads = new ArrayList<>();
            for (RunningComponent running : components) {
                if (group.contains(running.component().kind())) {
                    Thread thread =
                            new Thread(
                                    () -> stop(running, progress, failures),
                                    "stop-" + running.name());
                    thread.start();
                    threads.add(thread);
                }
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    private void stop(RunningComponent running, Progress progress, List<String> failures) {
        progress.update(running.name(), StepState.WORKING, "stopping");
        try {
            ManagedProcess.Ending ending = running.process().stop(grace);
            String how =
                    switch (ending) {
                        case WAS_GONE -> "was gone already";
                        case STOPPED -> "stopped";
                        case KILLED -> "killed: it did not end within " + grace.toSeconds() + " s";
                    };
            progress.update(running.name(), StepState.READY, how);
        } catch (RuntimeException | InterruptedException failure) {
            String text =
                    running.name()
                            + " (pid "
                            + running.identity().pid()
                            + "): "
                            + failure.getMessage();
            progress.update(running.name(), StepState.FAILED, String.valueOf(failure.getMessage()));
            synchronized (failures) {
                failures.add(text);
            }
        }
    }
}
