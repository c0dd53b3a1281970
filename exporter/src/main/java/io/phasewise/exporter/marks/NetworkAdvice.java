/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.exporter.instrument.Hooks;

/**
 * What Kafka's network classes call: see {@link MarkHooks} for where. Public, and static, as there is
 * no object to reach it by from there. Neither locks nor allocates, once a thread is known; what is no
 * network thread of the broker costs a read and a compare.
 */
public final class NetworkAdvice {

    /** While false nothing is recorded of network threads. */
    static volatile boolean on;

    static final NetworkThreads THREADS = new NetworkThreads();
    static final HookBudget BUDGET = new HookBudget(MarkHooks.NETWORK_THREADS);

    /** Of one call in so many the hook's own time counts for the budget; the clock's last bits draw it. */
    private static final int SAMPLED = 16;

    /** In a combined node the controller has network threads of its own, with the same ids. */
    private static final String CONTROLLERS = "CONTROLLER";

    /** Null in a thread that is no network thread of the broker. */
    private static final ThreadLocal<NetworkThread> THREAD = new ThreadLocal<>();

    private NetworkAdvice() {}

    /**
     * A network thread begins; recorded even while this is off, as it may be switched on later.
     *
     * @param processor its id
     * @param listener of what kind its listener is, a constant of Kafka's
     */
    public static void threadBegins(int processor, Object listener) {
        if (!CONTROLLERS.equals(String.valueOf(listener))) {
            NetworkThread thread = new NetworkThread(processor, Thread.currentThread());
            THREADS.add(thread);
            THREAD.set(thread);
        }
    }

    /**
     * Whether a selector is one of the broker's servers: asked of every selector in this JVM.
     *
     * @param timesConnections whether it times each connection, as those do and no client does
     */
    public static boolean isServers(boolean timesConnections) {
        return timesConnections && on;
    }

    /** A selector that {@link #isServers} is about to select. */
    public static void selects(boolean timesConnections) {
        NetworkThread thread = THREAD.get();
        if (thread != null) {
            long now = System.nanoTime();
            thread.selects(now);
            spend(now);
        }
    }

    /** A selector has selected. Never throws. */
    public static void selected(boolean timesConnections) {
        if (timesConnections && on) {
            try {
                NetworkThread thread = THREAD.get();
                if (thread != null) {
                    long now = System.nanoTime();
                    thread.selected(now);
                    THREADS.sawSelection();
                    spend(now);
                }
            } catch (Throwable surprise) {
                Hooks.failed(surprise, MarkHooks.NETWORK_THREADS);
            }
        }
    }

    /** A request is about to be put into the queue of requests. */
    public static void sends() {
        NetworkThread thread = on ? THREAD.get() : null;
        if (thread != null) {
            long now = System.nanoTime();
            thread.sends(now);
            spend(now);
        }
    }

    /** It has been put there. Never throws. */
    public static void sent() {
        try {
            NetworkThread thread = on ? THREAD.get() : null;
            if (thread != null) {
                long now = System.nanoTime();
                thread.sent(now);
                THREADS.sawRequest();
                spend(now);
            }
        } catch (Throwable surprise) {
            Hooks.failed(surprise, MarkHooks.NETWORK_THREADS);
        }
    }

    private static void spend(long began) {
        if (began % SAMPLED == 0) {
            BUDGET.spend(SAMPLED, System.nanoTime() - began);
        }
    }
}
