/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the canary's threads, and is the only place that does. A fault on one of them is counted,
 * logged once while it lasts, and followed by another turn or task: no thread dies unseen. What the
 * threads do is left to their owners. Thread-safe.
 */
public final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration TASKS_IDLE = Duration.ofSeconds(1);

    private final LongSupplier nanoClock;

    /**
     * @param nanoClock monotonic nanoseconds
     */
    public Supervisor(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * A thread that does turn after turn once it is started.
     *
     * @param name of the thread
     * @param faults counts what a turn throws; must not throw
     * @param turn what to do
     */
    public SupervisedThread loop(String name, Consumer<Throwable> faults, SupervisedThread.Turn turn) {
        return loop(name, faults, turn, () -> {});
    }

    /**
     * As {@link #loop(String, Consumer, SupervisedThread.Turn)}, with something to do at the end.
     *
     * @param end run by the thread after its last turn
     */
    public SupervisedThread loop(String name, Consumer<Throwable> faults, SupervisedThread.Turn turn, Runnable end) {
        return new SupervisedThread(name, new LoopHealth(name, faults, nanoClock), turn, end);
    }

    /**
     * As {@link #loop(String, Consumer, SupervisedThread.Turn)}, on a thread that wakes punctually.
     */
    public SupervisedThread punctualLoop(String name, Consumer<Throwable> faults, SupervisedThread.Turn turn) {
        return loop(name, faults, turn).punctual();
    }

    /**
     * Runs tasks now or later, one at a time, on a thread that is there while there are any.
     *
     * @param name of the thread
     * @param faults counts what a task throws; must not throw
     */
    public ScheduledThreadPoolExecutor tasks(String name, Consumer<Throwable> faults) {
        LoopHealth health = new LoopHealth(name, faults, nanoClock);
        ScheduledThreadPoolExecutor tasks = new ScheduledThreadPoolExecutor(1, task -> daemon(task, name)) {
            @Override
            protected void afterExecute(Runnable task, Throwable thrown) {
                Throwable fault = thrown == null ? fault(task) : thrown;
                if (fault == null) {
                    health.succeeded();
                } else {
                    health.failed(fault);
                }
            }
        };
        tasks.setKeepAliveTime(TASKS_IDLE.toNanos(), TimeUnit.NANOSECONDS);
        tasks.allowCoreThreadTimeOut(true);
        tasks.setRemoveOnCancelPolicy(true);
        return tasks;
    }

    private static Throwable fault(Runnable task) {
        if (!(task instanceof Future<?> future) || !future.isDone() || future.isCancelled()) {
            return null;
        }
        try {
            future.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /**
     * Does several things at the same time and waits for them.
     *
     * @param work by name
     * @param atMost returns after this, whether all is done or not
     */
    public void atOnce(Map<String, SupervisedThread.Turn> work, Duration atMost) throws InterruptedException {
        long end = nanoClock.getAsLong() + atMost.toNanos();
        List<Thread> threads = new ArrayList<>();
        work.forEach((name, each) -> {
            Thread thread = daemon(() -> once(name, each), name);
            thread.start();
            threads.add(thread);
        });
        for (Thread thread : threads) {
            thread.join(Math.max(1, (end - nanoClock.getAsLong()) / 1_000_000));
        }
    }

    private static void once(String name, SupervisedThread.Turn work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error("{}: internal error", name, e);
        }
    }

    static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
