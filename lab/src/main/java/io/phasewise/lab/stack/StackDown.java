/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.StepState;
import io.phasewise.lab.file.LockFile;
import io.phasewise.lab.process.ParallelTasks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Stops a whole stack, whoever started it. The data stays until it is purged. */
public final class StackDown {

    // // Brokers that stop at the same time lose their quorum, and would wait for it for minutes.
    private static final Duration GRACE = Duration.ofSeconds(12);

    private final StateDirectory directory;
    private final Context context;

    public StackDown(StateDirectory directory, Context context) {
        this.directory = directory;
        this.context = context;
    }

    /**
     * Stops all that runs. It is no error when nothing runs.
     *
     * @param patience how long to wait for another launcher that is starting or stopping the stack
     * @return how many processes were running
     * @throws IOException when another launcher still is, or a process cannot be ended
     */
    public int down(Duration patience) throws IOException, InterruptedException {
        if (!directory.isOurs()) {
            return 0;
        }
        try (LockFile lock = directory.lock(patience)) {
            Optional<StackState> state = directory.read();
            return state.isPresent() ? down(state.get()) : 0;
        }
    }

    private int down(StackState state) throws IOException, InterruptedException {
        List<RunningComponent> alive = state.alive();
        state.remark(alive).ifPresent(context::print);
        if (!alive.isEmpty()) {
            directory.write(state.withStopping(true));
            List<String> failures = stop(alive, context);
            if (!failures.isEmpty()) {
                directory.write(state.of(state.alive()).withStopping(false));
                throw new IOException("could not be ended: " + String.join("; ", failures));
            }
        }
        directory.write(StackState.empty(state.ports()));
        return alive.size();
    }

    /**
     * Stops processes of a stack in the order of their stages. Each is asked to end, and killed
     * when it does not. A failure with one does not keep the others from being stopped. The caller
     * records that they are gone.
     *
     * @return the processes that could not be ended, each with the reason
     * @throws IOException never: failures are returned
     * @throws InterruptedException when interrupted while waiting; some may still run
     */
    static List<String> stop(List<RunningComponent> components, Context context)
            throws IOException, InterruptedException {
        List<String> names = components.stream().map(RunningComponent::name).toList();
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        List<Integer> stages =
                components.stream().map(StackDown::stage).distinct().sorted().toList();
        try (Progress progress = context.progress(names)) {
            for (int stage : stages) {
                ParallelTasks.run(components.stream()
                        .filter(one -> stage(one) == stage)
                        .<ParallelTasks.Task>map(one -> () -> stop(one, progress, failures))
                        .toList());
            }
        }
        return failures;
    }

    private static int stage(RunningComponent running) {
        return running.component().kind().stopStage();
    }

    private static void stop(RunningComponent running, Progress progress, List<String> failures) {
        progress.update(running.name(), StepState.WORKING, "stopping");
        try {
            String how = switch (running.process().stop(GRACE)) {
                case WAS_GONE -> "was gone already";
                case STOPPED -> "stopped";
                case KILLED -> "killed: it did not end within " + GRACE.toSeconds() + " s";
            };
            progress.update(running.name(), StepState.READY, how);
        } catch (RuntimeException | InterruptedException failure) {
            progress.update(running.name(), StepState.FAILED, String.valueOf(failure.getMessage()));
            failures.add(running + ": " + failure.getMessage());
        }
    }
}
