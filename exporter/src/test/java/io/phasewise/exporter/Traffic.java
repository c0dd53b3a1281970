/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Clients that make brokers do what their metrics are about; needs nothing but Kafka's clients. */
public final class Traffic {

    private static final Duration POLL = Duration.ofMillis(700);
    private static final byte[] RECORD = new byte[500];

    private final Map<String, Object> clientProperties;

    /**
     * @param clientProperties {@code bootstrap.servers} and security
     */
    public Traffic(Map<String, Object> clientProperties) {
        this.clientProperties = Map.copyOf(clientProperties);
    }

    /** The same with another client id. */
    public Traffic as(String clientId) {
        return new Traffic(with(Map.of("client.id", clientId)));
    }

    /**
     * Produces records with acks=all, one request each, in turn to every partition.
     *
     * @return when all are acknowledged
     */
    void produce(String topic, int partitions, int records) throws InterruptedException, ExecutionException {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("linger.ms", 0))) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(topic, i % partitions, null, RECORD))
                        .get();
            }
        }
    }

    /** Produces one record, until it is acknowledged. */
    public void produceOne(String topic) throws InterruptedException, ExecutionException {
        produce(topic, 1, 1);
    }

    /**
     * Reads all records there are, then waits for more until the broker's fetch runs out, without a
     * group.
     */
    void consume(String topic, int partitions, int records) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(Map.of())) {
            List<TopicPartition> all = IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            readAll(consumer, records);
            consumer.poll(POLL);
        }
    }

    /** Reads all records there are as a member of a new group, and commits. */
    void consumeAsGroup(String topic, String group, int records) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                consumer(Map.of("group.id", group, "auto.offset.reset", "earliest"))) {
            consumer.subscribe(List.of(topic));
            readAll(consumer, records);
            consumer.commitSync();
        }
    }

    /** Commits a transaction of some records, then aborts one. */
    void produceInTransactions(String topic, int records) {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", topic + "-writer"))) {
            producer.initTransactions();
            for (boolean commit : new boolean[] {true, false}) {
                producer.beginTransaction();
                for (int i = 0; i < records; i++) {
                    producer.send(new ProducerRecord<>(topic, RECORD));
                }
                producer.flush();
                if (commit) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
    }

    private static void readAll(KafkaConsumer<byte[], byte[]> consumer, int records) {
        int read = 0;
        for (int polls = 0; read < records; polls++) {
            if (polls == 60) {
                throw new AssertionError("read only " + read + " of " + records + " records");
            }
            read += consumer.poll(POLL).count();
        }
    }

    /** A producer with some properties of its own, for the caller to close. */
    public KafkaProducer<byte[], byte[]> producer(Map<String, Object> own) {
        return new KafkaProducer<>(with(own), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A consumer with some properties of its own, for the caller to close. */
    public KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> own) {
        return new KafkaConsumer<>(with(own), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private Map<String, Object> with(Map<String, Object> own) {
        Map<String, Object> properties = new HashMap<>(clientProperties);
        properties.putAll(own);
        return properties;
    }
}
