/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The sign by which a topic says that it is a canary's: one topic setting, with a number that
 * nobody sets by chance. It is set in the request that creates the topic and goes when the topic
 * goes, so no one has to remember what was created. What follows from it is left to others.
 *
 * <p>The setting is {@code delete.retention.ms}. Only the log cleaner reads it, and never under
 * {@code cleanup.policy=delete}, which the canary's topic has. A cluster that refuses this setting
 * gets {@code retention.bytes} instead, with a number that no canary's topic can reach.
 *
 * <p>The number is made of the cluster's id and the topic's name. People and MirrorMaker copy the
 * settings of one topic to another; there the number does not fit, and no canary takes the copy for
 * its own.
 */
public final class OwnershipMark {
    /** The setting that holds the mark. */
    public static final String SETTING = TopicConfig.DELETE_RETENTION_MS_CONFIG;

    /** The setting that holds it where a cluster refuses the other. */
    public static final String FALLBACK_SETTING = TopicConfig.RETENTION_BYTES_CONFIG;

    private static final long FIRST = 30_000_000_000L;
    private static final long FALLBACK_FIRST = 1_000_000_000_000L;
    private static final long NUMBERS = 30_000_000_000L;

    /** How a topic became a canary's. */
    public enum Origin {
        /** The canary created it. */
        CREATED,
        /** Somebody else did, and the configuration says that it is for the canary alone. */
        ADOPTED
    }

    private OwnershipMark() {}

    /**
     * The value of {@link #SETTING}: 30e9 + (the first eight bytes of SHA-256("phasewise/1|" +
     * cluster id + "|" + topic + "|" + "created" or "adopted"), as an unsigned number, modulo
     * 30e9).
     *
     * @param clusterId Kafka's id of the cluster
     * @param topic the topic's name
     * @param origin how it became the canary's
     */
    public static String value(String clusterId, String topic, Origin origin) {
        return Long.toString(FIRST + number(clusterId, topic, origin));
    }

    /** The value of {@link #FALLBACK_SETTING}: 1e12 + the same. */
    public static String fallbackValue(String clusterId, String topic, Origin origin) {
        return Long.toString(FALLBACK_FIRST + number(clusterId, topic, origin));
    }

    /**
     * The settings that mark a topic, in the order in which they are tried: the second one is for
     * clusters that refuse the first.
     */
    public static List<Map<String, String>> settings(String clusterId, String topic, Origin origin) {
        return List.of(
                Map.of(SETTING, value(clusterId, topic, origin)),
                Map.of(FALLBACK_SETTING, fallbackValue(clusterId, topic, origin)));
    }

    /**
     * Reads the mark from a topic's settings.
     *
     * @param clusterId Kafka's id of the cluster the topic is in; not null
     * @param topic the topic's name
     * @param config its settings
     * @return how the topic became a canary's; empty when it is no canary's
     */
    public static Optional<Origin> read(String clusterId, String topic, Map<String, String> config) {
        return Arrays.stream(Origin.values())
                .filter(origin -> value(clusterId, topic, origin).equals(config.get(SETTING))
                        || fallbackValue(clusterId, topic, origin).equals(config.get(FALLBACK_SETTING)))
                .findFirst();
    }

    private static long number(String clusterId, String topic, Origin origin) {
        String word = origin == Origin.CREATED ? "created" : "adopted";
        String text = "phasewise/1|" + clusterId + "|" + topic + "|" + word;
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            long first = ByteBuffer.wrap(digest).getLong();
            return Long.remainderUnsigned(first, NUMBERS);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
