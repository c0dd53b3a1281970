/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.topic.Failures;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Opens Kafka producers in the background: makes one, waits until it is connected to every leader,
 * and hands it over. Where that fails, whatever the fault, it tries again with a new one after a
 * pause. What a producer is for is left to its owner.
 */
final class ClientOpener {
    private static final Duration LOOK_SOON = Duration.ofMillis(10);
    private static final Duration LOOK_LATER = Duration.ofMillis(500);
    private static final int LOOKS_SOON = 300;

    /** A client that is refused for so long is made again: its credentials may have changed. */
    private static final Duration REFUSED = Duration.ofSeconds(10);

    private static final Duration RETRY_AT_LEAST = Duration.ofMillis(500);
    private static final Duration RETRY_AT_MOST = Duration.ofSeconds(10);

    private final ScheduledThreadPoolExecutor tasks;
    private final LongSupplier nanoClock;
    private volatile KafkaException refusal;
    private volatile boolean closed;

    /** A Kafka producer with what belongs to it. */
    interface Opened {
        LaneClient client();
    }

    /**
     * What is to be opened.
     *
     * @param make makes it; may throw anything
     * @param wanted whether it is needed still
     * @param patience how long to wait for its connections once it knows the leaders
     * @param ready takes it when it is connected
     * @param discard takes one that will not be handed over
     */
    record Order<T extends Opened>(
            Supplier<T> make, BooleanSupplier wanted, Duration patience, Consumer<T> ready, Consumer<T> discard) {}

    /**
     * @param context starts the thread
     * @param name of the thread, which is there while it is needed
     */
    ClientOpener(SendContext context, String name) {
        this.tasks = context.supervisor().tasks(name, context.listener()::faulted);
        this.nanoClock = context.nanoClock();
    }

    /** Opens one, in as many attempts as that takes. Thread-safe, as are all methods. */
    <T extends Opened> void open(Order<T> order) {
        later(new Attempt<>(order), Duration.ZERO);
    }

    /** Does something on the same thread. */
    void inBackground(Runnable task) {
        later(task, Duration.ZERO);
    }

    /** Why the latest attempt failed; null when it did not. */
    KafkaException refusal() {
        return refusal;
    }

    /** Opens nothing any more. */
    void close() {
        closed = true;
        tasks.shutdown();
    }

    private void later(Runnable task, Duration delay) {
        try {
            tasks.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed: nothing is opened or replaced any more.
        }
    }

    static Set<Node> nodes(Map<Integer, KnownLeader> leaders) {
        Set<Node> nodes = new HashSet<>();
        leaders.values().forEach(leader -> nodes.add(leader.node()));
        return nodes;
    }

    /** Goes on with one order until it is carried out; on the opening thread only. */
    private final class Attempt<T extends Opened> implements Runnable {
        private final Order<T> order;
        private T made;
        private int failures;
        private int looks;
        private Long connectingSince;
        private Long refusedSince;

        Attempt(Order<T> order) {
            this.order = order;
        }

        @Override
        public void run() {
            if (closed || !order.wanted().getAsBoolean()) {
                discard();
                return;
            }
            T ready = null;
            try {
                ready = step();
            } catch (KafkaException e) {
                again(e);
            } catch (RuntimeException | Error e) {
                again(Failures.kafkaException(e));
                throw e; // counted by the supervisor
            }
            if (ready != null) {
                order.ready().accept(ready);
            }
        }

        /** Returns it when it is ready, and null before. */
        private T step() {
            if (made == null) {
                made = order.make().get();
                looks = 0;
                connectingSince = null;
                refusedSince = null;
            }
            if (closed) {
                made.client().close(Duration.ZERO); // too late for close() to see it
                return null;
            }
            if (isConnected()) {
                return made;
            }
            later(this, looks++ < LOOKS_SOON ? LOOK_SOON : LOOK_LATER);
            return null;
        }

        private boolean isConnected() {
            long now = nanoClock.getAsLong();
            try {
                if (connectingSince == null) {
                    Map<Integer, KnownLeader> known = made.client().leaders();
                    refusal = null;
                    refusedSince = null;
                    if (known.isEmpty()) {
                        return false;
                    }
                    made.client().connect(nodes(known));
                    connectingSince = now;
                }
                return !made.client().connecting()
                        || now - connectingSince > order.patience().toNanos();
            } catch (TimeoutException e) {
                // Nothing known yet; the request is on its way.
            } catch (KafkaException e) {
                refusal = e;
                refusedSince = refusedSince == null ? (Long) now : refusedSince;
                if (now - refusedSince > REFUSED.toNanos()) {
                    throw e;
                }
            }
            return false;
        }

        private void again(KafkaException why) {
            refusal = why;
            discard();
            long pause = RETRY_AT_LEAST.toNanos() << Math.min(failures++, 5);
            later(this, Duration.ofNanos(Math.min(pause, RETRY_AT_MOST.toNanos())));
        }

        private void discard() {
            T old = made;
            made = null;
            if (old != null) {
                order.discard().accept(old);
            }
        }
    }
}
