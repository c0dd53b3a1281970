/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.Map;

/**
 * The keys of a cluster, and of a profile, which has not all of them; what they mean together is
 * left to {@link ClusterReader}.
 *
 * @param kafka how to reach the cluster
 * @param topic that carries the probes
 * @param probe what is sent
 * @param deadline of a probe
 * @param lossHorizon of a probe
 * @param slo what counts as good
 * @param consumerGroup of the consumer
 * @param slowProbes to remember and log
 * @param profiles by name; of a cluster only
 * @param enabled whether the profile is measured; of a profile only
 * @param mirror where the probes are read; of a profile only, null for none
 */
record Settings(
        @JsonUnwrapped @Valid KafkaConfig kafka,
        @Valid TopicConfig topic,
        @Valid ProbeConfig probe,
        @Within("1ms to loss-horizon") Duration deadline,
        @Within("1s to 10m") Duration lossHorizon,
        @Valid SloConfig slo,
        @Valid GroupConfig consumerGroup,
        @Valid SlowProbesConfig slowProbes,
        @Keys.Entries(
                        without = {"admin", "bootstrap-servers", "client", "profiles"},
                        always = ClusterConfig.DEFAULT_PROFILE,
                        only = "enabled")
                Map<String, Settings> profiles,
        boolean enabled,
        @Valid Mirror mirror) {

    /**
     * The keys of the cluster that a mirrored profile's probes are read in.
     *
     * @param bootstrapServers how to reach it; null where that is missing
     * @param sourceAlias of the cluster that the probes are sent to; null for its name
     * @param topic there; null for the one that MirrorMaker makes of the alias
     * @param client properties of both clients
     * @param consumer properties of the consumer
     * @param admin properties of the admin client
     */
    record Mirror(
            @Pattern(regexp = KafkaConfig.SERVERS, message = KafkaConfig.SOME_SERVERS)
                    String bootstrapServers,
            @Pattern(
                            regexp = "[A-Za-z0-9._-]{1,100}",
                            message = "letters, digits, dots, dashes, underscores, at most 100")
                    String sourceAlias,
            @Pattern(regexp = TopicConfig.NAME, message = TopicConfig.A_NAME) String topic,
            Map<String, String> client,
            Map<String, String> consumer,
            Map<String, String> admin) {
        Mirror {
            client = client == null ? Map.of() : client;
            consumer = consumer == null ? Map.of() : consumer;
            admin = admin == null ? Map.of() : admin;
        }
    }
}
