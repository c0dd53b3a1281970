/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.producer.DispatchTimingProducer;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.clients.producer.DispatchTimingProducer.TimedCallback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;

/**
 * A real Kafka producer; passes everything on.
 *
 * @param producer made with {@code max.block.ms=0}; closed with this
 * @param topic that records are sent to
 * @param closed run when this is closed, before the producer is
 */
public record KafkaLane(DispatchTimingProducer producer, String topic, Runnable closed) implements LaneClient {
    @Override
    public void send(int partition, byte[] key, byte[] value, TimedCallback callback) {
        producer.sendTimed(new ProducerRecord<>(topic, partition, key, value), callback);
    }

    @Override
    public Map<Integer, KnownLeader> leaders() {
        return producer.leaders(topic);
    }

    @Override
    public void refreshLeaders() {
        producer.refreshLeaders();
    }

    @Override
    public void connect(Collection<Node> nodes) {
        producer.connect(nodes);
    }

    @Override
    public boolean connecting() {
        return producer.connecting();
    }

    @Override
    public void close(Duration timeout) {
        closed.run();
        producer.close(timeout);
    }
}
