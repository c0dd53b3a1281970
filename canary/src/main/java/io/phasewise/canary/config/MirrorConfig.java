/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.Objects;

/**
 * Where the probes of a mirrored profile come out: the other cluster, and what their topic is
 * called there. Mirroring itself is MirrorMaker's, which the canary does not run.
 *
 * @param kafka how to reach the target cluster; no producer is made of it
 * @param topic the name of the probes' topic in the target
 */
public record MirrorConfig(KafkaConfig kafka, String topic) {
    public MirrorConfig {
        Objects.requireNonNull(kafka);
        Objects.requireNonNull(topic);
    }
}
