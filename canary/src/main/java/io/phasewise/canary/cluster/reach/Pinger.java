/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.topic.TopicState.Broker;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;

/**
 * The thread that times a tiny request to every broker of a cluster four times a second; making the
 * requests is left to {@link PingClient}, what the times mean to its listener.
 */
public final class Pinger {
    public static final Duration PERIOD = Duration.ofMillis(250);

    private final Supplier<? extends PingClient> clients;
    private final SupervisedThread thread;
    private volatile List<Node> brokers = List.of();
    private volatile boolean renewal;

    /** Used by the thread only; null while there is no client. */
    private PingClient ping;

    /**
     * @param supervisor starts the thread
     * @param clients makes a client; throws KafkaException when it cannot
     * @param id part of the thread's name
     * @param faults counts what is thrown; the thread goes on
     */
    public Pinger(
            Supervisor supervisor, Supplier<? extends PingClient> clients, String id, Consumer<Throwable> faults) {
        this.clients = clients;
        this.thread = supervisor.loop(
                "ping-" + id,
                fault -> {
                    renewal = true; // nobody knows what state the client is in now
                    faults.accept(fault);
                },
                this::turn,
                this::close);
    }

    public void start() {
        thread.start();
    }

    /** Sets which brokers are asked from now on; those whose address is not known are not. */
    public void setBrokers(List<Broker> at) {
        brokers = at.stream()
                .filter(broker -> !broker.host().isEmpty())
                .map(broker -> new Node(broker.id(), broker.host(), broker.port()))
                .toList();
    }

    /** Goes on with a new client. Thread-safe. */
    public void renew() {
        renewal = true;
    }

    /** Ends the thread within a quarter of a second; does not wait for it. */
    public void stop() {
        thread.stop();
    }

    private void turn() throws InterruptedException {
        if (renewal) {
            renewal = false;
            close();
        }
        if (ping == null && !brokers.isEmpty()) {
            try {
                ping = clients.get();
            } catch (KafkaException e) {
                // The admin client is made of the same properties and says why.
            }
        }
        if (ping == null) {
            thread.pause(PERIOD);
        } else {
            ping.turn(brokers, PERIOD);
        }
    }

    private void close() {
        PingClient old = ping;
        ping = null;
        if (old != null) {
            old.close();
        }
    }
}
