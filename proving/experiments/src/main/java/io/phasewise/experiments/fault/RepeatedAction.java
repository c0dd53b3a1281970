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
 * Something that a fault does again and again on a thread of its own until it is mended. Where it
 * fails it ends, and mending says so: a turn that went on without its fault must not pass for one
 * with it.
 */
public final class RepeatedAction implements Fault.Broken {

    /** At most so long until a step that is under way is over, unless said otherwise. */
    public static final Duration END_BOUND = Duration.ofSeconds(30);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Duration endBound;
    private final Fault.Broken undo;

    private RepeatedAction(Duration endBound, Fault.Broken undo) {
        this.endBound = endBound;
        this.undo = undo;
    }

    /**
     * Begins at once.
     *
     * @param period from the beginning of one to that of the next
     * @param undo puts right what steps leave; called when none is under way any more
     */
    public static RepeatedAction every(Duration period, Fault.Step step, Fault.Broken undo) {
        RepeatedAction repeated = new RepeatedAction(END_BOUND, undo);
        repeated.timer.scheduleAtFixedRate(() -> repeated.run(step), 0, period.toMillis(), TimeUnit.MILLISECONDS);
        return repeated;
    }

    /**
     * The same with a pause between the end of one and the beginning of the next.
     *
     * @param pause longer than nothing
     * @param endBound at most so long until a step that is under way is over
     */
    public static RepeatedAction pausing(Duration pause, Fault.Step step, Duration endBound, Fault.Broken undo) {
        RepeatedAction repeated = new RepeatedAction(endBound, undo);
        repeated.timer.scheduleWithFixedDelay(() -> repeated.run(step), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
        return repeated;
    }

    private void run(Fault.Step step) {
        try {
            step.take();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error broken) {
            failure.set(broken);
            // Has the timer leave it.
            throw new IllegalStateException(broken);
        }
    }

    /**
     * Ends and undoes it; what cannot be undone is suppressed in a failure that came before.
     *
     * @throws FaultException when it ended by itself before, or a step does not end
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
