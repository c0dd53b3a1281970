/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.validation.constraints.Pattern;
import java.util.Optional;

/**
 * Where the probes of a mirrored profile come out: the other cluster, and what their topic is
 * called there. Mirroring itself is MirrorMaker's, which the canary does not run.
 *
 * @param kafka how to reach the target cluster; no producer is made of it
 * @param sourceAlias MirrorMaker's of the cluster that the probes are sent to; empty for its name
 * @param topic the name of the probes' topic in the target
 */
public record MirrorConfig(
        @JsonUnwrapped KafkaConfig kafka,
        Optional<@Pattern(regexp = ConfigLoader.NAME, message = ConfigLoader.A_NAME) String> sourceAlias,

        @Pattern(regexp = TopicConfig.NAME, message = TopicConfig.A_NAME)
        String topic) {}
