/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.application;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * An application's Kafka clients with Micrometer's binder, as a bean of Spring has them: the
 * registry is injected, each client is bound when it is made and unbound before it is closed. An
 * example, held to what docs/how-to/client-telemetry.md says of it.
 */
public final class OrderClients implements AutoCloseable {
    private static final String TOPIC = "orders";

    private final Producer<String, String> producer;
    private final Consumer<String, String> consumer;
    private final KafkaClientMetrics producerMetrics;
    private final KafkaClientMetrics consumerMetrics;

    /**
     * @param registry the application's, which it serves to Prometheus
     * @param bootstrapServers of the cluster
     */
    public OrderClients(MeterRegistry registry, String bootstrapServers) {
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "client.id", "orders-out"),
                new StringSerializer(),
                new StringSerializer());
        producerMetrics = new KafkaClientMetrics(producer);
        producerMetrics.bindTo(registry);

        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "client.id",
                        "orders-in",
                        "group.id",
                        "orders",
                        "auto.offset.reset",
                        "earliest"),
                new StringDeserializer(),
                new StringDeserializer());
        consumerMetrics = new KafkaClientMetrics(consumer);
        consumerMetrics.bindTo(registry);
        consumer.subscribe(List.of(TOPIC));
    }

    /** Sends some orders, takes what there is, and commits. */
    void work() {
        for (int i = 0; i < 10; i++) {
            producer.send(new ProducerRecord<>(TOPIC, "order " + i));
        }
        if (!consumer.poll(Duration.ofMillis(50)).isEmpty()) {
            consumer.commitSync();
        }
    }

    @Override
    public void close() {
        producerMetrics.close();
        producer.close(Duration.ofSeconds(1));
        consumerMetrics.close();
        consumer.close();
    }
}
