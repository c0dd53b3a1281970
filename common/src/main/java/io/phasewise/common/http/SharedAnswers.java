/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Makes costly answers one at a time, however many clients ask. Clients that ask for the same
 * answer before it has been begun share it. After each answer there is a rest of three times as
 * long as the answer took, a second at most. A client that asks during the rest waits for the next
 * answer; if somebody waits already, it gets the last answer again. So any number of requests takes
 * at most a quarter of one processor, and the memory of one answer beside those that are being
 * sent. Thread-safe.
 */
public final class SharedAnswers {

    /** A client that has waited longer than this has probably given up. */
    private static final long TURN_SECONDS = 10;

    private static final int REST = 3;
    private static final long MOST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String BUSY = "too many ask at once; try again";

    private final LongSupplier nanoClock;
    private final ReentrantLock turn = new ReentrantLock(true);

    /**
     * Answers that are awaited and not begun. At most as many as the endpoint has threads, because
     * one thread waits for each.
     */
    private final Map<Object, CompletableFuture<Answer>> awaited = new HashMap<>();

    private boolean made;
    private volatile long restUntil;

    /** The last answer; null before the first one, and after one that failed. */
    private volatile Made last;

    private static final class Made {
        final Object key;
        final Answer answer;

        Made(Object key, Answer answer) {
            this.key = key;
            this.answer = answer;
        }
    }

    /** Makes an answer. */
    public interface Maker {
        /**
         * @throws Exception any; all who wait for it get it
         */
        Answer make() throws Exception;
    }

    /**
     * @param nanoClock monotonic nanoseconds
     */
    public SharedAnswers(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * An answer that was begun after this call. Where several clients ask at once, it may have been
     * made before, a second ago at most.
     *
     * @param key equal for requests that may get the same answer
     * @throws Exception what the maker throws
     */
    public Answer of(Object key, Maker maker) throws Exception {
        Made latest = last;
        boolean isCrowded = turn.isLocked();
        if (isCrowded && latest != null && latest.key.equals(key) && nanoClock.getAsLong() - restUntil < 0) {
            return latest.answer;
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        CompletableFuture<Answer> before;
        synchronized (awaited) {
            before = awaited.putIfAbsent(key, answer);
        }
        if (before == null) {
            make(key, answer, maker);
            return answer(answer);
        }
        return answer(before);
    }

    private static Answer answer(CompletableFuture<Answer> answer) throws Exception {
        try {
            return answer.get(2 * TURN_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return Answer.busy(BUSY);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error) {
                throw (Error) e.getCause();
            }
            throw (Exception) e.getCause();
        }
    }

    private void make(Object key, CompletableFuture<Answer> answer, Maker maker) {
        boolean mine = false;
        try {
            mine = turn.tryLock(TURN_SECONDS, TimeUnit.SECONDS);
            if (mine && made) {
                TimeUnit.NANOSECONDS.sleep(Math.min(MOST_REST_NANOS, restUntil - nanoClock.getAsLong()));
            }
            begin(key);
            answer.complete(mine ? timed(key, maker) : Answer.busy(BUSY));
        } catch (Exception | Error e) {
            begin(key);
            answer.completeExceptionally(e);
        } finally {
            if (mine) {
                turn.unlock();
            }
        }
    }

    /** Clients that ask from now on get another answer. */
    private void begin(Object key) {
        synchronized (awaited) {
            awaited.remove(key);
        }
    }

    private Answer timed(Object key, Maker maker) throws Exception {
        long began = nanoClock.getAsLong();
        last = null;
        Answer answer = null;
        try {
            answer = maker.make();
            return answer;
        } finally {
            long end = nanoClock.getAsLong();
            restUntil = end + Math.min(MOST_REST_NANOS, REST * (end - began));
            made = true;
            last = answer == null ? null : new Made(key, answer);
        }
    }
}
