/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A value made of files, and made again when their content has changed. Where the new content
 * cannot be used, the earlier value stays. This happens for a moment whenever one of two files has
 * been replaced and the other has not yet. The files are looked at when somebody asks for the
 * value, at most once a second, on a thread of their own: while their disk hangs, the earlier value
 * is returned without delay. Thread-safe.
 *
 * @param <T> what is made
 */
public final class ReloadedValue<T> implements Supplier<T> {

    private static final long BETWEEN_LOOKS = Duration.ofSeconds(1).toNanos();

    /** A disk that is only busy, and does not hang, answers within this time. */
    private static final long HANGS = Duration.ofSeconds(10).toNanos();

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final FileSource<T> source;
    private final Listener<T> listener;
    private final LongSupplier nanoClock;
    private final ImpatientRead<Boolean> reads = new ImpatientRead<>("phasewise-file-look", PATIENCE);

    /** Used by the thread that looks only, one at a time. */
    private Map<Path, String> tried;

    /** Used by the thread that looks only. */
    private boolean failing;

    private long looked;
    private boolean hanging;
    private volatile T value;

    /**
     * Is told what became of a change.
     *
     * @param <T> what is made
     */
    public interface Listener<T> {

        /** The new content is in use. */
        void reloaded(T value);

        /**
         * The new content cannot be used.
         *
         * @param repeated whether the change before was refused, too, and has been reported
         */
        void refused(UnusableFileException why, boolean repeated);

        /**
         * The files have not answered for seconds; the earlier value stays. Called once until they
         * answer.
         */
        void hanging();

        /**
         * After {@link #hanging}, the files have answered again. What became of a change has been
         * reported before this call.
         */
        void answering();
    }

    /**
     * Keeps a value that has been read already.
     *
     * @param first what the files held at the start
     * @param nanoClock monotonic nanoseconds
     */
    public ReloadedValue(T first, FileSource<T> source, Listener<T> listener, LongSupplier nanoClock) {
        this.source = source;
        this.listener = listener;
        this.nanoClock = nanoClock;
        value = first;
        tried = Fingerprints.of(source.files());
        looked = nanoClock.getAsLong();
    }

    /**
     * Reads the first value.
     *
     * @param nanoClock monotonic nanoseconds
     * @throws UnusableFileException when it cannot be made
     */
    public static <T> ReloadedValue<T> read(FileSource<T> source, Listener<T> listener, LongSupplier nanoClock)
            throws UnusableFileException {
        // Before the files are read: what changes meanwhile is then seen as a change.
        ReloadedValue<T> reloaded = new ReloadedValue<>(null, source, listener, nanoClock);
        reloaded.value = source.read();
        return reloaded;
    }

    /**
     * The value made of the newest content that could be used. Waits at most a second, and that
     * only when the files' disk has just begun to hang.
     */
    @Override
    public T get() {
        if (isDue()) {
            try {
                reads.read(() -> {
                    look();
                    return Boolean.TRUE;
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        return value;
    }

    private synchronized boolean isDue() {
        long now = nanoClock.getAsLong();
        if (reads.isReading()) {
            if (!hanging && now - looked >= HANGS) {
                hanging = true;
                listener.hanging();
            }
            return false;
        }
        if (now - looked < BETWEEN_LOOKS) {
            return false;
        }
        looked = now;
        return true;
    }

    /** On a thread of its own, one at a time. */
    private void look() {
        Map<Path, String> found = Fingerprints.of(source.files());
        if (!found.equals(tried)) {
            tried = found;
            try {
                value = source.read();
                failing = false;
                listener.reloaded(value);
            } catch (UnusableFileException e) {
                boolean repeated = failing;
                failing = true;
                listener.refused(e, repeated);
            }
        }
        synchronized (this) {
            if (hanging) {
                hanging = false;
                listener.answering();
            }
        }
    }
}
