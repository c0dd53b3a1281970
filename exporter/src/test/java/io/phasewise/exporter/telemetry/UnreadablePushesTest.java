/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.config.ConfigLoader;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnreadablePushesTest {

    private static final String OF_A_PUSH = "Error getting request for apiKey: PUSH_TELEMETRY, apiVersion: 0";

    @AfterEach
    void forget() {
        ClientPushes.forget();
    }

    @Test
    void onlyConnectionsThatEndForAPushAreCounted() {
        ClientPushes.start(ConfigLoader.defaults().clients(), new PrometheusRegistry(), error -> {});
        ClientPushes.activate();

        UnreadablePushes.closing(new InvalidRequestException(OF_A_PUSH));
        UnreadablePushes.closing(new InvalidRequestException("Error getting request for apiKey: PRODUCE"));
        UnreadablePushes.closing(new InvalidRequestException(null));
        UnreadablePushes.closing(new IllegalStateException(OF_A_PUSH));
        UnreadablePushes.closing(null);

        assertThat(ClientPushes.queue().pushes.labelValues("unreadable").get()).isOne();
    }

    @Test
    void withoutAReceiverItDoesNothing() {
        UnreadablePushes.closing(new InvalidRequestException(OF_A_PUSH));

        assertThat(ClientPushes.queue()).isNull();
    }
}
