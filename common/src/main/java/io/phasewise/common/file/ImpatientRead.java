/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Reads files on a thread of its own, so that a disk that hangs does not hang the caller. At most
 * one read is under way. While a read that took too long goes on, no other read begins, and callers
 * do not wait. Thread-safe.
 *
 * @param <T> what is read
 */
public final class ImpatientRead<T> {

    private final String thread;
    private final Duration patience;
    private final Consumer<Thread> starter;

    /** The last read; null before the first. */
    private FutureTask<T> last;

    /**
     * @param thread name of the threads that read
     * @param patience how long a caller may wait
     */
    public ImpatientRead(String thread, Duration patience) {
        this(thread, patience, Thread::start);
    }

    ImpatientRead(String thread, Duration patience, Consumer<Thread> starter) {
        this.thread = thread;
        this.patience = patience;
        this.starter = starter;
    }

    /** Whether a read is under way. */
    public synchronized boolean isReading() {
        return last != null && !last.isDone();
    }

    /**
     * Reads, unless a read is under way.
     *
     * @param what is done on the other thread, and goes on there when nobody waits any more
     * @return empty when nothing was read in time
     * @throws ExecutionException with what the read threw
     * @throws InterruptedException when interrupted; the read goes on
     */
    public Optional<T> read(Callable<T> what) throws ExecutionException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(what);
        synchronized (this) {
            if (isReading()) {
                return Optional.empty();
            }
            last = task;
        }
        try {
            Thread reader = new Thread(task, thread);
            reader.setDaemon(true);
            starter.accept(reader);
        } catch (Throwable e) {
            task.cancel(false); // no thread will: it would be under way for ever
            throw e;
        }
        try {
            return Optional.ofNullable(task.get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        }
    }
}
