/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks at the same time. The first one that fails interrupts the others.
 */
public final class ParallelTasks {

    private static final long GIVE_UP_SECONDS = 15;

    private ParallelTasks() {}

    /** A task. */
    @FunctionalInterface
    public interface Task {
        /** Runs it to its end. */
        void run() throws Exception;
    }

    /**
     * Returns when all tasks are done, or when none runs any more.
     *
     * @param tasks throw only IOException and unchecked exceptions
     * @throws IOException the first failure; unchecked exceptions are thrown too
     * @throws InterruptedException when interrupted; the tasks were too
     */
    public static void run(List<Task> tasks) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            ExecutorCompletionService<Void> completion = new ExecutorCompletionService<>(threads);
            for (Task task : tasks) {
                completion.submit(() -> {
                    task.run();
                    return null;
                });
            }
            for (int i = 0; i < tasks.size(); i++) {
                completion.take().get();
            }
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (failure.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IllegalStateException(failure.getCause());
        } finally {
            threads.shutdownNow();
            awaitEnd(threads);
        }
    }

    // The caller may clean up afterwards: no task may still start something.
    private static void awaitEnd(ExecutorService threads) {
        boolean interrupted = Thread.interrupted();
        try {
            threads.awaitTermination(GIVE_UP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
