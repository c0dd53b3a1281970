/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.declared.Allowed;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An application that writes to a topic with three replicas: what brokers have to do beside.
 *
 * @param recordsPerSecond from 100
 * @param recordBytes of each value
 */
public record ApplicationLoad(int recordsPerSecond, int recordBytes) implements Fault {
    private static final String TOPIC = "phasewise-lab-application";
    private static final int PARTITIONS = 12;
    private static final Duration TICK = Duration.ofMillis(10);
    private static final Duration END_BOUND = Duration.ofSeconds(30);

    public ApplicationLoad {
        Allowed.range("records-per-second", recordsPerSecond, 100, 100_000);
        Allowed.range("record-bytes", recordBytes, 1, 900_000);
    }

    @Override
    public Broken begin(FaultTarget target) throws InterruptedException {
        NewTopic topic =
                new NewTopic(TOPIC, PARTITIONS, (short) 3)
                        .configs(Map.of("retention.bytes", "67108864"));
        Administration.done(
                "make a topic", target.cluster().admin().createTopics(List.of(topic)).all());
        Map<String, Object> properties = new HashMap<>(target.cluster().clientProperties());
        properties.put("client.id", "lab-application");
        properties.put("linger.ms", "5");
        properties.put("enable.metrics.push", "false");
        properties.put("metric.reporters", "");
        // What does not fit while a broker is away is dropped: the load does not stop for it.
        properties.put("max.block.ms", "0");
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
        byte[] value = new byte[recordBytes];
        new SplittableRandom(1).nextBytes(value);
        int perTick = recordsPerSecond / (int) (1_000 / TICK.toMillis());
        return Recurring.every(
                TICK,
                () -> {
                    for (int i = 0; i < perTick; i++) {
                        producer.send(new ProducerRecord<>(TOPIC, value));
                    }
                },
                END_BOUND,
                () -> {
                    producer.close(Duration.ZERO);
                    Administration.delete(target.cluster().admin(), TOPIC);
                });
    }
}
