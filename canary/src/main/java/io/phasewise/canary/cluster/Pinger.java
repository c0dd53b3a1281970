/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.ping.BrokerPing;
import io.phasewise.canary.supervise.LoopHealth;
import io.phasewise.canary.supervise.SupervisedLoop;
import io.phasewise.canary.topic.TopicState.Broker;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;

/**
 * The thread that times a tiny request to every broker of a cluster four times a second; making one
 * is left to {@link BrokerPing}, what it means to whoever is told.
 */
final class Pinger {
    /** What makes the requests; see {@link BrokerPing}. */
    interface Client {
        /**
         * Asks and takes answers.
         *
         * @param brokers whom
         * @param atMost returns after this at the latest
         */
        void turn(Collection<Node> brokers, Duration atMost);

        /** Closes the connections. */
        void close();
    }

    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final int TIMEOUT_MS = 1_000;

    private final Supplier<? extends Client> clients;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private volatile List<Node> brokers = List.of();
    private volatile boolean renewal;

    /** The thread's own; null while there is none. */
    private Client ping;

    /**
     * @param kafka how to reach the cluster
     * @param id part of the client id and of the thread's name
     * @param listener is told of every round trip
     * @param faults counts what is thrown; the thread goes on
     * @param nanoClock monotonic nanoseconds
     */
    Pinger(
            KafkaConfig kafka,
            String id,
            BrokerPing.Listener listener,
            Consumer<Throwable> faults,
            LongSupplier nanoClock) {
        this(
                () ->
                        client(
                                BrokerPing.open(
                                        kafka.adminProperties(id),
                                        KafkaConfig.CLIENT_ID_PREFIX + "-" + id + "-ping",
                                        PERIOD,
                                        TIMEOUT_MS,
                                        listener,
                                        nanoClock)),
                id,
                faults,
                nanoClock);
    }

    Pinger(
            Supplier<? extends Client> clients,
            String id,
            Consumer<Throwable> faults,
            LongSupplier nanoClock) {
        this.clients = clients;
        LoopHealth health =
                new LoopHealth(
                        "ping-" + id,
                        fault -> {
                            renewal = true; // whatever state the client is in now
                            faults.accept(fault);
                        },
                        nanoClock);
        SupervisedLoop loop = new SupervisedLoop(health, () -> stop.getCount() == 0, this::turn);
        this.thread = new Thread(() -> run(loop), "ping-" + id);
        this.thread.setDaemon(true);
    }

    private static Client client(BrokerPing ping) {
        return new Client() {
            @Override
            public void turn(Collection<Node> brokers, Duration atMost) {
                ping.turn(brokers, atMost);
            }

            @Override
            public void close() {
                ping.close();
            }
        };
    }

    void start() {
        thread.start();
    }

    /** Sets which brokers are asked from now on; those whose address is not known are not. */
    void setBrokers(List<Broker> at) {
        brokers =
                at.stream()
                        .filter(broker -> !broker.host().isEmpty())
                        .map(broker -> new Node(broker.id(), broker.host(), broker.port()))
                        .toList();
    }

    /** Goes on with a client that is made anew. Thread-safe. */
    void renew() {
        renewal = true;
    }

    /** Ends the thread within a quarter of a second; does not wait for it. */
    void stop() {
        stop.countDown();
    }

    private void run(SupervisedLoop loop) {
        try {
            loop.run();
        } finally {
            close();
        }
    }

    private void turn() throws InterruptedException {
        if (renewal) {
            renewal = false;
            close();
        }
        if (ping == null && !brokers.isEmpty()) {
            ping = open();
        }
        if (ping == null) {
            stop.await(PERIOD.toNanos(), TimeUnit.NANOSECONDS);
        } else {
            ping.turn(brokers, PERIOD);
        }
    }

    private Client open() {
        try {
            return clients.get();
        } catch (KafkaException e) {
            return null; // the admin client is made of the same properties and says why
        }
    }

    private void close() {
        Client old = ping;
        ping = null;
        if (old != null) {
            old.close();
        }
    }
}
