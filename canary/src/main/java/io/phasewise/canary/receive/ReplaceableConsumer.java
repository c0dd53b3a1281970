/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import io.phasewise.canary.topic.Failures;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The Kafka consumer in use, and its replacement by a new one when that is asked for; what is read
 * with it is left to {@link ProbeConsumer}. Used by the polling thread, except {@link #renew} and
 * {@link #wakeup}, which any thread may call.
 */
final class ReplaceableConsumer {
    /**
     * When no new Kafka consumer could be made, the old one goes on for so long before the next
     * attempt.
     */
    private static final Duration RENEW_AGAIN = Duration.ofSeconds(5);

    private final Supplier<Consumer<byte[], byte[]>> clients;
    private final java.util.function.Consumer<KafkaException> failures;
    private final LongSupplier nanoClock;
    private volatile Consumer<byte[], byte[]> current;
    private volatile boolean renewal;

    /** No new Kafka consumer is made before this. */
    private long renewNotBefore;

    /**
     * @param clients makes Kafka consumers
     * @param failures learns why one could not be made or closed
     * @param nanoClock monotonic nanoseconds
     * @throws KafkaException when the first one cannot be made
     */
    ReplaceableConsumer(
            Supplier<Consumer<byte[], byte[]>> clients,
            java.util.function.Consumer<KafkaException> failures,
            LongSupplier nanoClock) {
        this.clients = clients;
        this.failures = failures;
        this.nanoClock = nanoClock;
        this.renewNotBefore = nanoClock.getAsLong();
        this.current = clients.get();
    }

    Consumer<byte[], byte[]> get() {
        return current;
    }

    /** Has it replaced at the next {@link #replaceIfDue}. */
    void renew() {
        renewal = true;
    }

    /** Ends a poll that is under way. */
    void wakeup() {
        current.wakeup();
    }

    /**
     * Replaces it where that was asked for. Where no new one can be made now, the old one goes on,
     * and a later call tries again.
     *
     * @return whether another one is in use now
     */
    boolean replaceIfDue() {
        if (!renewal || nanoClock.getAsLong() - renewNotBefore < 0) {
            return false;
        }
        renewal = false;
        Consumer<byte[], byte[]> fresh;
        try {
            fresh = clients.get();
        } catch (RuntimeException e) {
            renewal = true;
            renewNotBefore = nanoClock.getAsLong() + RENEW_AGAIN.toNanos();
            failures.accept(Failures.kafkaException(e));
            return false;
        }
        Consumer<byte[], byte[]> old = current;
        current = fresh;
        try {
            close(old);
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            failures.accept(Failures.kafkaException(e)); // it is out of use all the same
        }
        return true;
    }

    void close() {
        close(current);
    }

    private static void close(Consumer<byte[], byte[]> consumer) {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
