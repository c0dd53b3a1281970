/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.clients.producer.DispatchTimingProducer.TimedCallback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/** A Kafka producer without a network, connected at once; a test says when it answers. */
final class FakeClient implements LaneClient {
    final Deque<Sent> sent = new ConcurrentLinkedDeque<>();
    final AttemptListener attempts;
    private final LongSupplier clock;
    volatile Supplier<Map<Integer, KnownLeader>> leaders;
    volatile boolean closed;
    int refreshes;
    Collection<Node> connected = List.of();

    /** What sending throws; null while the client is in service. */
    volatile RuntimeException broken;

    /** How each record fails before sending returns; null where it does not. */
    volatile Exception failsAtOnce;

    FakeClient(AttemptListener attempts, LongSupplier clock, Supplier<Map<Integer, KnownLeader>> leaders) {
        this.attempts = attempts;
        this.clock = clock;
        this.leaders = leaders;
    }

    /** A record, and when it was sent. */
    record Sent(int partition, byte[] key, byte[] value, TimedCallback callback, long at) {
        /** The request that carried it is over; without a failure it was appended then. */
        void complete(Dispatch dispatch, long appendMillis, Exception failure) {
            TopicPartition to = new TopicPartition("t", partition);
            callback.onCompletion(new RecordMetadata(to, 0, 0, appendMillis, -1, -1), failure, dispatch);
        }

        /** No request ever carried it. */
        void fail(Exception reason) {
            callback.onCompletion(null, reason, null);
        }
    }

    /** Who leads partition 0, 1 and so on; of a leader's epoch 1. */
    static Map<Integer, KnownLeader> led(int... brokers) {
        Map<Integer, KnownLeader> leaders = new HashMap<>();
        for (int partition = 0; partition < brokers.length; partition++) {
            leaders.put(partition, new KnownLeader(node(brokers[partition]), 1));
        }
        return leaders;
    }

    static Node node(int broker) {
        return new Node(broker, "h", 1);
    }

    /** Leadership that cannot be told. */
    static Supplier<Map<Integer, KnownLeader>> untold(RuntimeException reason) {
        return () -> {
            throw reason;
        };
    }

    @Override
    public void send(int partition, byte[] key, byte[] value, TimedCallback callback) {
        if (broken != null) {
            throw broken;
        }
        byte[] copy = key == null ? null : key.clone();
        Sent record = new Sent(partition, copy, value.clone(), callback, clock.getAsLong());
        if (failsAtOnce != null) {
            record.fail(failsAtOnce);
        } else {
            sent.add(record);
        }
    }

    /** The oldest record to a partition, a request of its own, is answered now. */
    void answer(int partition, Exception failure) {
        Sent next = sent.stream()
                .filter(s -> s.partition() == partition)
                .findFirst()
                .get();
        sent.remove(next);
        int leader = leaders.get().get(partition).node().id();
        long now = clock.getAsLong();
        next.complete(new Dispatch(leader, 0, 0, next.at(), now, true), now / 1_000_000, failure);
    }

    @Override
    public Map<Integer, KnownLeader> leaders() {
        return leaders.get();
    }

    @Override
    public void refreshLeaders() {
        refreshes++;
    }

    @Override
    public void connect(Collection<Node> nodes) {
        connected = nodes;
    }

    @Override
    public boolean connecting() {
        return false;
    }

    @Override
    public void close(Duration timeout) {
        closed = true;
    }
}
