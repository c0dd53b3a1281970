/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A clock that keeps the canary's consumers away from poll() while it is shut, as an application
 * does that is busy with what it was given. A consumer reads the clock when it is about to enter
 * poll(), and again when it has left; the first reading is kept waiting.
 */
final class PollGate {
    private static final StackWalker CALLERS =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Reads the clock twice for each poll(). */
    private static final String POLLS = "io.phasewise.canary.receive.PollRecorder";

    private final ThreadLocal<Boolean> polling = ThreadLocal.withInitial(() -> false);
    private final Map<String, List<Stall.Interval>> away = new HashMap<>();
    private boolean shut;

    /** Monotonic nanoseconds, late for a consumer that is kept away. */
    long nanoTime() {
        if (!Thread.currentThread().getName().startsWith("consume-")
                || !CALLERS.getCallerClass().getName().equals(POLLS)) {
            return System.nanoTime();
        }
        boolean entering = !polling.get();
        polling.set(entering);
        if (entering) {
            pass();
        }
        return System.nanoTime();
    }

    private synchronized void pass() {
        if (!shut) {
            return;
        }
        long from = System.nanoTime();
        while (shut) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        away.computeIfAbsent(Thread.currentThread().getName(), name -> new ArrayList<>())
                .add(new Stall.Interval(from, System.nanoTime()));
    }

    synchronized void shut() {
        shut = true;
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    /** When the consumer of that name was kept away. */
    synchronized List<Stall.Interval> away(String consumer) {
        return List.copyOf(away.getOrDefault(consumer, List.of()));
    }
}
