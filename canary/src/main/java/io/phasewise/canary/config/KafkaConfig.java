/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.canary.config.KafkaPropertyRules.Role;
import io.phasewise.kafka.AnswerLimit;
import io.phasewise.kafka.ConnectionTimes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How to reach a cluster, and the property map each of the canary's clients is made from: Kafka's
 * defaults, then the canary's, then the user's, then what the canary must set itself. Checking the
 * user's values is left to {@link KafkaPropertyRules}.
 *
 * @param bootstrapServers comma-separated host:port pairs
 * @param client properties for all three clients; each gets those it knows and those nobody knows
 *     (plugins read them)
 * @param producer properties for the producer only; they win over {@code client}
 * @param consumer properties for the consumer only
 * @param admin properties for the admin client only
 */
public record KafkaConfig(
        String bootstrapServers,
        Map<String, String> client,
        Map<String, String> producer,
        Map<String, String> consumer,
        Map<String, String> admin) {

    /** Properties of a consumer that say how many bytes an answer may have. */
    static final Set<String> FETCH_SIZES =
            Set.of(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG);

    /**
     * Every client id starts with this, so that a broker can tell the canary's requests from all
     * others.
     */
    public static final String CLIENT_ID_PREFIX = "phasewise-canary";

    /**
     * What the client ids of a profile begin with, and the ids of consumer groups that it draws.
     *
     * @param id of the cluster and profile
     */
    public static String idPrefix(String id) {
        return CLIENT_ID_PREFIX + "-" + id + "-";
    }

    /**
     * Properties of a producer whose {@code send} never blocks and which gives a probe up when it
     * counts as lost.
     *
     * @param id of the cluster and profile, part of the client id
     * @param lossHorizon when a probe is lost; the delivery timeout
     * @param serial makes the client id unique among the canary's producers
     * @return a new map
     */
    public Map<String, Object> producerProperties(String id, Duration lossHorizon, int serial) {
        Map<String, String> defaults = Map.of("linger.ms", "0", "acks", "all");
        Map<String, Object> properties = properties(Role.PRODUCER, id, defaults, producer);
        long horizonMs = lossHorizon.toMillis();
        long lingerMs =
                Long.parseLong(properties.get(ProducerConfig.LINGER_MS_CONFIG).toString());
        // Kafka asks for delivery.timeout.ms >= linger.ms + request.timeout.ms.
        properties.putIfAbsent(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Long.toString(Math.max(1, Math.min(30_000, horizonMs - lingerMs))));
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Long.toString(horizonMs));
        // A probe that cannot be buffered at once fails at once: one dead broker must not hold up
        // the others' probes.
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "0");
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.compute(CommonClientConfigs.CLIENT_ID_CONFIG, (key, name) -> producerClientIds(id) + serial);
        return properties;
    }

    /**
     * Properties of a consumer that belongs to no group and starts at given offsets.
     *
     * @param id of the cluster and profile, part of the client id
     * @return a new map
     */
    public Map<String, Object> consumerProperties(String id) {
        // The client's own metrics are on the canary's endpoint; no probe should wait behind a push of them.
        Map<String, String> defaults = Map.of("enable.metrics.push", "false");
        Map<String, Object> properties = properties(Role.CONSUMER, id, defaults, consumer);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        // A topic that a broker creates for a reader has no ownership mark: no canary could use it.
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        // An answer that is longer than this process takes would be refused again and again.
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, ConsumerConfig.DEFAULT_FETCH_MAX_BYTES);
        FETCH_SIZES.forEach(size -> properties.computeIfPresent(size, (name, value) -> fitting(value)));
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return properties;
    }

    /**
     * Properties of a consumer that looks once at the records of a topic, to find out whose the
     * topic is.
     *
     * @param id of the cluster and profile, part of the client id
     * @return a new map
     */
    public Map<String, Object> lookProperties(String id) {
        Map<String, Object> properties = consumerProperties(id);
        properties
                .keySet()
                .removeAll(List.of(
                        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                        ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG));
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "10000");
        properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, "4194304");
        properties.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, "1");
        properties.compute(CommonClientConfigs.CLIENT_ID_CONFIG, (key, name) -> name + "-look");
        return properties;
    }

    private static String fitting(Object bytes) {
        int most = AnswerLimit.ofProcess().fetchBytes();
        return Integer.toString(Math.min(most, Integer.parseInt(bytes.toString().strip())));
    }

    /** Whether the consumer says its rack, so that it may be sent to a follower to fetch from. */
    public boolean hasRack() {
        String rack = ConsumerConfig.CLIENT_RACK_CONFIG;
        return !consumer.getOrDefault(rack, client.getOrDefault(rack, "")).isBlank();
    }

    /**
     * Properties of the admin client.
     *
     * @param id of the cluster and profile, part of the client id
     * @return a new map
     */
    public Map<String, Object> adminProperties(String id) {
        // An unreachable or hung cluster is reported within seconds; the canary retries by itself.
        // With ZooKeeper, elections are asked of the broker that was the controller when metadata was
        // last read. Kafka's client does not read it again where that one answers that it is not.
        Map<String, String> defaults = Map.of(
                "metadata.max.age.ms", "30000",
                "enable.metrics.push", "false",
                "default.api.timeout.ms", "10000",
                "request.timeout.ms", "5000");
        Map<String, Object> properties = properties(Role.ADMIN, id, defaults, admin);
        ConnectionTimes.endSilent(properties);
        return properties;
    }

    private static String clientId(Role role, String id) {
        return idPrefix(id) + role.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Client id of the consumer that {@link #consumerProperties} makes.
     *
     * @param id of the cluster and profile
     */
    String consumerClientId(String id) {
        return clientId(Role.CONSUMER, id);
    }

    /**
     * What the client ids of the producers that {@link #producerProperties} makes begin with; the serial follows.
     *
     * @param id of the cluster and profile
     */
    String producerClientIds(String id) {
        return clientId(Role.PRODUCER, id) + "-";
    }

    /**
     * @param defaults of the canary
     * @param own of the user's properties those of this client only
     */
    private Map<String, Object> properties(
            Role role, String id, Map<String, String> defaults, Map<String, String> own) {
        Map<String, Object> properties = new HashMap<>(defaults);
        properties.putAll(client);
        properties.keySet().removeIf(name -> !role.knows(name) && Role.isKnown(name));
        properties.putAll(own);
        ConnectionTimes.bound(properties);
        properties.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId(role, id));
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return properties;
    }

    /** Leaves the values out: they may hold secrets. */
    @Override
    public String toString() {
        return "KafkaConfig[bootstrapServers=" + bootstrapServers + ", ...]";
    }
}
