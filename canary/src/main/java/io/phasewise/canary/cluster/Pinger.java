/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.ping.BrokerPing;
import io.phasewise.canary.topic.TopicState.Broker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;

/**
 * The thread that times a tiny request to every broker of a cluster four times a second; making one
 * is left to {@link BrokerPing}, what it means to whoever is told.
 */
final class Pinger {
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final int TIMEOUT_MS = 1_000;

    /** Learns how long a round trip took. */
    interface Listener {
        /**
         * @param broker its id
         * @param now monotonic nanoseconds
         * @param nanos how long it took
         */
        void roundTrip(int broker, long now, long nanos);
    }

    private final KafkaConfig kafka;
    private final String id;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private volatile List<Broker> brokers = List.of();
    private volatile boolean renewal;

    /**
     * @param kafka how to reach the cluster
     * @param id part of the client id and of the thread's name
     * @param listener is told of every round trip
     * @param nanoClock monotonic nanoseconds
     */
    Pinger(KafkaConfig kafka, String id, Listener listener, LongSupplier nanoClock) {
        this.kafka = kafka;
        this.id = id;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.thread = new Thread(this::run, "ping-" + id);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Sets which brokers are asked from now on. */
    void aim(List<Broker> at) {
        brokers = List.copyOf(at);
    }

    /** Goes on with a client that is made anew. Thread-safe. */
    void renew() {
        renewal = true;
    }

    /** Ends the thread within a round trip or a timeout; does not wait for it. */
    void stop() {
        stop.countDown();
    }

    private void run() {
        BrokerPing ping = null;
        try {
            while (!stop.await(PERIOD.toNanos(), TimeUnit.NANOSECONDS)) {
                if (renewal && ping != null) {
                    ping.close();
                    ping = null;
                }
                renewal = false;
                if (ping == null && !brokers.isEmpty()) {
                    ping = open();
                }
                if (ping != null) {
                    round(ping);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (ping != null) {
                ping.close();
            }
        }
    }

    private BrokerPing open() {
        try {
            return new BrokerPing(
                    kafka.adminProperties(id),
                    KafkaConfig.CLIENT_ID_PREFIX + "-" + id + "-ping",
                    TIMEOUT_MS,
                    nanoClock);
        } catch (KafkaException e) {
            return null; // the admin client is made of the same properties and says why
        }
    }

    private void round(BrokerPing ping) {
        for (Broker broker : brokers) {
            if (broker.host() == null || broker.host().isEmpty()) {
                continue; // down, its address unknown
            }
            ping.roundTripNanos(new Node(broker.id(), broker.host(), broker.port()))
                    .ifPresent(
                            nanos -> listener.roundTrip(broker.id(), nanoClock.getAsLong(), nanos));
        }
    }
}
