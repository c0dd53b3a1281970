/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.time.Duration;
import java.util.Objects;

/**
 * One cluster to measure; how the Kafka properties reach each client is left to {@link
 * KafkaConfig}.
 *
 * @param name the {@code cluster} label; letters, digits, dots, dashes and underscores
 * @param kafka how to reach the cluster and which client properties to use
 * @param topic the topic that carries the probes
 * @param probe what is sent and how often
 * @param deadline a probe seen later than this after it was due is late; not shorter than the SLO
 *     target
 * @param lossHorizon a probe not seen within this is lost; not shorter than the deadline
 * @param slo what counts as good
 */
public record ClusterConfig(
        String name,
        KafkaConfig kafka,
        TopicConfig topic,
        ProbeConfig probe,
        Duration deadline,
        Duration lossHorizon,
        SloConfig slo) {
    public ClusterConfig {
        Objects.requireNonNull(name);
        Objects.requireNonNull(kafka);
        Objects.requireNonNull(topic);
        Objects.requireNonNull(probe);
        Objects.requireNonNull(deadline);
        Objects.requireNonNull(lossHorizon);
        Objects.requireNonNull(slo);
    }
}
