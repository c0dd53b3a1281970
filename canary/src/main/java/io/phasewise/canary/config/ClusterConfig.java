/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * One cluster to measure, by the settings of one profile; how the Kafka properties reach each
 * client is left to {@link KafkaConfig}.
 *
 * @param name the {@code cluster} label; letters, digits, dots, dashes and underscores
 * @param profile the {@code profile} label; letters, digits, dashes and underscores
 * @param kafka how to reach the cluster and which client properties to use
 * @param exporters where its brokers report marks of the probes
 * @param topic the topic that carries the probes
 * @param probe what is sent and how often
 * @param deadline a probe seen later than this after it was due is late; not shorter than the SLO
 *     target
 * @param lossHorizon a probe not seen within this is lost; not shorter than the deadline
 * @param slo what counts as good
 * @param consumerGroup whether the consumer is a member of a consumer group
 * @param slowProbes how many slow probes are remembered and logged
 */
public record ClusterConfig(
        String name,
        String profile,
        @JsonUnwrapped KafkaConfig kafka,
        ExportersConfig exporters,
        TopicConfig topic,
        ProbeConfig probe,
        @Bounds("1ms to loss-horizon") Duration deadline,
        @Bounds("1s to 10m") Duration lossHorizon,
        SloConfig slo,
        GroupConfig consumerGroup,
        SlowProbesConfig slowProbes) {
    /** Bytes; a lane holds one probe for each broker, in a batch of up to batch.size. */
    private static final long LANE_BUFFER = 4 << 20;

    private static final long LANE_PROBES = 64;

    private static final int GAPS = 10;

    /** The profile that has the cluster's own settings. */
    public static final String DEFAULT_PROFILE = "default";

    /**
     * What clients and threads are named by: the cluster, and the profile unless it is the default
     * one. No two are alike, as no name contains an @.
     */
    public String id() {
        return isDefault() ? name : name + "@" + profile;
    }

    /** What log lines and messages call it. */
    public String title() {
        return isDefault() ? "cluster " + name : "cluster " + name + ", profile " + profile;
    }

    /**
     * Properties of the Kafka producer that carries the probes, or of one of them. A pipelined one
     * has as many requests in flight and as much buffer as the user sets, or Kafka's defaults.
     *
     * @param serial makes the client id unique among those of this profile
     * @return a new map
     */
    public Map<String, Object> producerProperties(int serial) {
        return probe.pipelined() ? kafka.producerProperties(id(), lossHorizon, serial) : laneProperties(serial);
    }

    /** One produce request at a time to each broker, and a buffer for a few probes. */
    private Map<String, Object> laneProperties(int serial) {
        Map<String, Object> properties = kafka.producerProperties(id(), lossHorizon, serial);
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
        long probes = LANE_PROBES * (probe.size() + probe.keys().size() + 1024L);
        properties.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, Long.toString(Math.max(LANE_BUFFER, probes)));
        return properties;
    }

    /**
     * Properties of the producer that calibrates the brokers' clocks: those of a lane, but with
     * acks=1, so that the leader answers alone. Its client id begins with another prefix than the
     * others: so the times that brokers report for the canary's requests are those of probes only.
     *
     * @param serial makes the client id unique among those of this profile
     * @return a new map
     */
    public Map<String, Object> calibratorProperties(int serial) {
        Map<String, Object> properties = laneProperties(serial);
        properties.put(ProducerConfig.ACKS_CONFIG, "1");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false");
        properties.compute(ProducerConfig.CLIENT_ID_CONFIG, (key, name) -> "clock-of-" + name);
        return properties;
    }

    /**
     * Properties of the consumer of the probes; where it is a member of a group, it commits only
     * when the canary tells it to.
     *
     * @param groupId of its group; ignored when the consumer is in no group
     * @return a new map
     */
    public Map<String, Object> consumerProperties(String groupId) {
        Map<String, Object> properties = kafka.consumerProperties(id());
        if (consumerGroup.enabled()) {
            String protocol = consumerGroup.protocol().name().toLowerCase(Locale.ROOT);
            properties.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
            properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol);
        }
        return properties;
    }

    /** Client id of the consumer of the probes. */
    public String consumerClientId() {
        return kafka.consumerClientId(id());
    }

    /** What the client ids of the producers of the probes begin with; a number follows. */
    public String producerClientIds() {
        return kafka.producerClientIds(id());
    }

    /**
     * Properties of a consumer that looks once at the topic's records, where these decide whose the
     * topic is.
     */
    public Map<String, Object> lookProperties() {
        return kafka.lookProperties(id());
    }

    /**
     * For how long probes may stay away: the deadline and ten mean gaps between two probes of a
     * partition.
     */
    public Duration patience() {
        return deadline.plusNanos((long) (GAPS * 1e9 / probe.rate()));
    }

    /** The consumer group, for short. */
    public GroupConfig group() {
        return consumerGroup;
    }

    private boolean isDefault() {
        return profile.equals(DEFAULT_PROFILE);
    }
}
