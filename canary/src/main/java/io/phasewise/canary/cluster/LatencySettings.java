/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ProbeConfig;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Picks the settings that shape latency and names them as labels; what they do is left to Kafka's
 * documentation.
 */
final class LatencySettings {
    private static final Map<String, String> OF_PRODUCER = Map.of(
            "acks", ProducerConfig.ACKS_CONFIG,
            "linger_ms", ProducerConfig.LINGER_MS_CONFIG,
            "batch_size", ProducerConfig.BATCH_SIZE_CONFIG,
            "idempotence", ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            "max_in_flight", ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            "compression", ProducerConfig.COMPRESSION_TYPE_CONFIG);
    private static final Map<String, String> OF_CONSUMER = Map.of(
            "fetch_min_bytes", ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
            "fetch_max_wait_ms", ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            "client_rack", ConsumerConfig.CLIENT_RACK_CONFIG,
            "isolation_level", ConsumerConfig.ISOLATION_LEVEL_CONFIG);

    private LatencySettings() {}

    /** By label name, in the same order for every cluster. */
    static Map<String, String> of(ClusterConfig config) {
        Map<String, Object> producer = new TreeMap<>(config.producerProperties(0));
        // Kafka derives this one from several others.
        producer.put(
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                new ProducerConfig(producer).getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG));
        Map<String, Object> consumer = config.kafka().consumerProperties(config.id());
        ProbeConfig probe = config.probe();
        Map<String, Object> labels = new TreeMap<>();
        labels.put("replication_factor", config.topic().replicationFactor());
        labels.put("min_insync_replicas", config.topic().minInsyncReplicas());
        labels.put("rate", probe.rate());
        labels.put("size", probe.size());
        labels.put("pipelined", probe.pipelined());
        labels.put("attribution", probe.attribution().label());
        labels.put("compressibility", probe.compressibility());
        labels.put("keys", probe.keys().count());
        labels.put("schedule", probe.schedule().name().toLowerCase(Locale.ROOT));
        OF_PRODUCER.forEach((label, name) -> labels.put(label, value(name, producer, ProducerConfig.configDef())));
        OF_CONSUMER.forEach((label, name) -> labels.put(label, value(name, consumer, ConsumerConfig.configDef())));
        Map<String, String> texts = new TreeMap<>();
        labels.forEach((label, value) -> texts.put(label, String.valueOf(value)));
        return Collections.unmodifiableMap(texts);
    }

    private static Object value(String name, Map<String, Object> properties, ConfigDef keys) {
        Object given = properties.get(name);
        return given == null ? keys.defaultValues().get(name) : given;
    }
}
