/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An action that a fault repeats on a thread of its own until it is mended. An action that fails is
 * not repeated, and mending throws: a turn that went on without its fault must not count as one
 * with it.
 */
public final class RepeatedAction implements ActiveFault {

    /** How long a step that is under way may take to end, unless another bound is given. */
    public static final Duration END_BOUND = Duration.ofSeconds(30);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Duration endBound;
    private final ActiveFault undo;

    private RepeatedAction(Duration endBound, ActiveFault undo) {
        this.endBound = endBound;
        this.undo = undo;
    }

    /**
     * Begins at once.
     *
     * @param period from the beginning of one step to the beginning of the next
     * @param undo undoes what steps leave behind; called after the last step has ended
     */
    public static RepeatedAction every(Duration period, ActiveFault.Step step, ActiveFault undo) {
        RepeatedAction repeated = new RepeatedAction(END_BOUND, undo);
        repeated.timer.scheduleAtFixedRate(() -> repeated.run(step), 0, period.toMillis(), TimeUnit.MILLISECONDS);
        return repeated;
    }

    /**
     * The same, with a pause between the end of one step and the beginning of the next.
     *
     * @param pause longer than zero
     * @param endBound how long a step that is under way may take to end
     */
    public static RepeatedAction pausing(Duration pause, ActiveFault.Step step, Duration endBound, ActiveFault undo) {
        RepeatedAction repeated = new RepeatedAction(endBound, undo);
        repeated.timer.scheduleWithFixedDelay(() -> repeated.run(step), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
        return repeated;
    }

    private void run(ActiveFault.Step step) {
        try {
            step.take();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error broken) {
            failure.set(broken);
            // The timer does not repeat what has thrown.
            throw new IllegalStateException(broken);
        }
    }

    /**
     * Ends the action and undoes it. Where undoing fails too, that exception is suppressed in the
     * first one.
     *
     * @throws FaultException when the action had failed before, or a step does not end in time
     */
    @Override
    public void close() throws InterruptedException {
        try (undo) {
            timer.shutdownNow();
            boolean over = timer.awaitTermination(endBound.toMillis(), TimeUnit.MILLISECONDS);
            Throwable early = failure.getAndSet(null);
            if (early != null) {
                throw FaultException.endedEarly(early);
            }
            if (!over) {
                throw new FaultException("the fault did not end within " + endBound.toSeconds() + " s");
            }
        }
    }
}
