/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The threads on which one server reads requests, has them answered and sends the answers, and the
 * limit on how long a client may keep one of them waiting.
 *
 * <p>The JDK's server has limits of its own, {@code sun.net.httpserver.maxReqTime} and others. They
 * are system properties that it reads once: they would hold for every server of the process, and
 * not at all where another server came first. So the limit is here: a thread that waits too long
 * for its client is interrupted, which closes the connection ({@link
 * java.nio.channels.InterruptibleChannel}). A thread is never interrupted while it computes an
 * answer.
 *
 * <p>A client has less time the more requests wait for a thread: half a second when one does, a
 * tenth of that when ten do. Those who have kept a thread waiting for the longest lose it first. So
 * clients that are slow on purpose cannot hold all threads.
 *
 * <p>Where several addresses ask, none of them may have all threads: one is left for the others. So
 * a flood from one address does not keep a scrape from another one waiting. A request that finds
 * the queue full goes to a separate thread, which refuses it. Exception: while several addresses
 * ask, that thread answers an address that has no other request under way.
 */
final class ExchangeThreads implements Executor, AutoCloseable {

    private static final String TOO_SLOW = "the client was too slow";
    private static final int QUEUE = 64;

    /**
     * Requests that wait to be refused. The queue is long, because a scrape from another address may
     * be in it.
     */
    private static final int REFUSALS = 256;

    private static final long IDLE_SECONDS = 30;
    private static final long TICK_MILLIS = 50;

    /** Time for a client that is to be refused, where no other client waits to be refused. */
    private static final Duration REFUSAL = Duration.ofSeconds(1);

    /**
     * Time for a client whose request is the only one of its address under way, however many
     * requests of other addresses wait.
     */
    private static final long ALONE = Duration.ofSeconds(2).toNanos();

    /** An address that has not asked for this long is forgotten. */
    private static final long REMEMBERED = Duration.ofMinutes(1).toNanos();

    private static final int MOST_REMEMBERED = 64;

    /** Time for a client while one request waits for a thread. */
    private static final long UNDER_PRESSURE = Duration.ofMillis(500).toNanos();

    private final int most;
    private final Duration requestTime;
    private final LongSupplier nanoClock;
    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor ticks;

    /** Number of requests that have a thread or wait for one. */
    private final AtomicInteger inHand = new AtomicInteger();

    /** Threads that wait for their client, the longest first. */
    private final Map<Thread, Wait> waiting = new LinkedHashMap<>();

    private final ThreadPoolExecutor refusals;

    /** Threads that refuse. */
    private final Set<Thread> refusing = ConcurrentHashMap.newKeySet();

    /** How many requests of an address have arrived and not been answered. */
    private final Map<InetAddress, Integer> underWay = new HashMap<>();

    /** When addresses asked last, the longest ago first. */
    private final Map<InetAddress, Long> asked = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Long> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** Whose request a thread answers. */
    private final Map<Thread, InetAddress> clients = new HashMap<>();

    private boolean ticking;

    private static final class Wait {
        final long began;
        final long limit;

        Wait(long began, Duration limit) {
            this.began = began;
            this.limit = limit.toNanos();
        }
    }

    /**
     * @param name of the threads, before a number
     * @param nanoClock monotonic nanoseconds
     */
    ExchangeThreads(String name, HttpLimits limits, LongSupplier nanoClock) {
        this.most = limits.threads;
        this.requestTime = limits.request;
        this.nanoClock = nanoClock;
        threads = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), daemons(name + "-http"));
        threads.allowCoreThreadTimeOut(true);
        refusals = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(REFUSALS), daemons(name + "-http-full"));
        refusals.allowCoreThreadTimeOut(true);
        ticks = new ScheduledThreadPoolExecutor(1, daemons(name + "-http-limit"));
        ticks.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        ticks.allowCoreThreadTimeOut(true);
        ticks.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Takes all of an exchange, from the first byte of its request.
     *
     * @throws RejectedExecutionException when too many wait even to be refused; the server then
     *     closes the connection
     */
    @Override
    public void execute(Runnable exchange) {
        inHand.incrementAndGet();
        try {
            threads.execute(() -> run(exchange));
        } catch (RejectedExecutionException full) {
            inHand.decrementAndGet();
            refusals.execute(() -> refuse(exchange));
        }
    }

    private void refuse(Runnable exchange) {
        refusing.add(Thread.currentThread());
        try {
            waitForClient(REFUSAL);
            exchange.run();
        } finally {
            end();
            refusing.remove(Thread.currentThread());
        }
    }

    /**
     * Whether this thread has to answer that too many requests wait. It answers properly an address
     * that has no other request under way while other addresses ask: a flood from one address fills
     * the queue for all.
     */
    synchronized boolean isRefusing(InetAddress from) {
        return refusing.contains(Thread.currentThread()) && (underWay.containsKey(from) || !othersAsk(from));
    }

    /**
     * A request has arrived.
     *
     * @return false where it has to be refused, so that others can be answered; where it has not,
     *     {@link #answered} follows
     */
    synchronized boolean arrived(InetAddress from) {
        int already = underWay.getOrDefault(from, 0);
        asked.put(from, nanoClock.getAsLong());
        if (already >= Math.max(1, most - 1) && othersAsk(from)) {
            return false;
        }
        underWay.put(from, already + 1);
        clients.put(Thread.currentThread(), from);
        return true;
    }

    private boolean othersAsk(InetAddress than) {
        long now = nanoClock.getAsLong();
        return asked.entrySet().stream()
                .anyMatch(each -> !each.getKey().equals(than) && now - each.getValue() < REMEMBERED);
    }

    /** A request that {@link #arrived} let in is over. */
    synchronized void answered(InetAddress from) {
        clients.remove(Thread.currentThread());
        underWay.computeIfPresent(from, (address, count) -> count == 1 ? null : count - 1);
    }

    private void run(Runnable exchange) {
        try {
            waitForClient(requestTime);
            exchange.run();
        } finally {
            end();
            inHand.decrementAndGet();
        }
    }

    private synchronized void end() {
        waiting.remove(Thread.currentThread());
        // An interrupt that was meant for this client must not hit the next one.
        Thread.interrupted();
    }

    /** From now on this thread waits for its client, but no longer than the limit. */
    void waitForClient(Duration limit) {
        add(new Wait(nanoClock.getAsLong(), limit));
    }

    private synchronized void add(Wait wait) {
        waiting.put(Thread.currentThread(), wait);
        if (!ticking) {
            ticking = true;
            scheduleTick();
        }
    }

    /**
     * From now on this thread works, and is not interrupted.
     *
     * @throws IOException when the client has been too slow already
     */
    synchronized void work() throws IOException {
        if (waiting.remove(Thread.currentThread()) == null) {
            throw new InterruptedIOException(TOO_SLOW);
        }
    }

    /**
     * Counts this thread as working while the given work is done, wherever this is called.
     *
     * @throws UncheckedIOException when the client has been too slow already
     */
    <T> T working(Supplier<T> work) {
        Wait wait;
        synchronized (this) {
            if (Thread.currentThread().isInterrupted()) {
                throw new UncheckedIOException(new InterruptedIOException(TOO_SLOW));
            }
            wait = waiting.remove(Thread.currentThread());
        }
        try {
            return work.get();
        } finally {
            if (wait != null) {
                add(wait);
            }
        }
    }

    /** Interrupts threads that have waited too long for their client. */
    private synchronized void tick() {
        long now = nanoClock.getAsLong();
        int pressing = Math.max(0, inHand.get() - most);
        long patience = pressing == 0 ? Long.MAX_VALUE : UNDER_PRESSURE / pressing;
        List<Thread> tooSlow = new ArrayList<>();
        for (Map.Entry<Thread, Wait> each : waiting.entrySet()) {
            long waited = now - each.getValue().began;
            if (refusesOnly(each.getKey())) {
                if (waited >= Math.min(each.getValue().limit, timeToRefuse())) {
                    tooSlow.add(each.getKey());
                }
                continue;
            }
            long bearable = isAlone(each.getKey()) ? Math.max(patience, ALONE) : patience;
            boolean givesWay = waited >= bearable && pressing > 0;
            if (waited >= each.getValue().limit || givesWay) {
                pressing--;
                tooSlow.add(each.getKey());
            }
        }
        for (Thread thread : tooSlow) {
            waiting.remove(thread);
            thread.interrupt();
        }
        ticking = !waiting.isEmpty();
        if (ticking) {
            scheduleTick();
        }
    }

    /** Whether the thread refuses its client, or does not know yet who the client is. */
    private boolean refusesOnly(Thread thread) {
        return refusing.contains(thread) && !clients.containsKey(thread);
    }

    /**
     * The time gets shorter, the more requests wait to be refused: there is one thread for them.
     */
    private long timeToRefuse() {
        long share = REFUSAL.toNanos() / (1 + refusals.getQueue().size());
        return Math.max(share, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
    }

    private boolean isAlone(Thread thread) {
        InetAddress from = clients.get(thread);
        return from != null && underWay.getOrDefault(from, 0) == 1 && othersAsk(from);
    }

    private void scheduleTick() {
        try {
            ticks.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The server closes the connections itself.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        refusals.shutdownNow();
        ticks.shutdownNow();
    }
}
