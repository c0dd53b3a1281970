/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.ClusterConfig;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Picks the settings that shape latency and names them as labels; what they do is Kafka's
 * documentation's to say.
 */
final class LatencySettings {
    private LatencySettings() {}

    /** By label name, in the same order for every cluster. */
    static Map<String, String> of(ClusterConfig config) {
        Map<String, Object> producer = new TreeMap<>(config.producerProperties(0));
        // Kafka settles this one by several others.
        producer.put(
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                new ProducerConfig(producer).getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG));
        Map<String, Object> consumer = config.readFrom().consumerProperties(config.id());
        ConfigDef producerKeys = ProducerConfig.configDef();
        ConfigDef consumerKeys = ConsumerConfig.configDef();
        Map<String, String> labels = new TreeMap<>();
        labels.put("acks", value(producer, producerKeys, ProducerConfig.ACKS_CONFIG));
        labels.put("linger_ms", value(producer, producerKeys, ProducerConfig.LINGER_MS_CONFIG));
        labels.put("batch_size", value(producer, producerKeys, ProducerConfig.BATCH_SIZE_CONFIG));
        labels.put(
                "idempotence",
                value(producer, producerKeys, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG));
        labels.put(
                "max_in_flight",
                value(
                        producer,
                        producerKeys,
                        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION));
        labels.put(
                "compression",
                value(producer, producerKeys, ProducerConfig.COMPRESSION_TYPE_CONFIG));
        labels.put(
                "fetch_min_bytes",
                value(consumer, consumerKeys, ConsumerConfig.FETCH_MIN_BYTES_CONFIG));
        labels.put(
                "fetch_max_wait_ms",
                value(consumer, consumerKeys, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG));
        labels.put("client_rack", value(consumer, consumerKeys, ConsumerConfig.CLIENT_RACK_CONFIG));
        labels.put(
                "isolation_level",
                value(consumer, consumerKeys, ConsumerConfig.ISOLATION_LEVEL_CONFIG));
        labels.put("replication_factor", String.valueOf(config.topic().replicationFactor()));
        labels.put("min_insync_replicas", String.valueOf(config.topic().minInsyncReplicas()));
        labels.put("rate", String.valueOf(config.probe().rate()));
        labels.put("size", String.valueOf(config.probe().size()));
        labels.put("pipelined", String.valueOf(config.probe().pipelined()));
        labels.put("attribution", config.probe().attribution().label());
        labels.put("compressibility", String.valueOf(config.probe().compressibility()));
        labels.put("keys", String.valueOf(config.probe().keys()));
        labels.put("schedule", config.probe().schedule().name().toLowerCase(Locale.ROOT));
        return Collections.unmodifiableMap(labels);
    }

    private static String value(Map<String, Object> properties, ConfigDef keys, String name) {
        Object value = properties.get(name);
        return String.valueOf(value == null ? keys.defaultValues().get(name) : value);
    }
}
