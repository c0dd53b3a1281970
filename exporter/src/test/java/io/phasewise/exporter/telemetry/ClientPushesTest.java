/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.phasewise.exporter.config.ConfigLoader;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientPushesTest {

    @AfterEach
    void forget() {
        ClientPushes.forget();
    }

    @Test
    void nothingIsReceivedUntilABrokerMakesAReceiver() {
        install();
        assertThat(ClientPushes.queue()).isNull();

        new ClientMetricsReceiver();

        assertThat(ClientPushes.queue()).isNotNull();
    }

    @Test
    void theReceiverMayBeThereBeforeTheAgent() {
        new ClientMetricsExporter();
        install();

        assertThat(ClientPushes.queue()).isNotNull();
    }

    @Test
    void withoutAnAgentPushesComeToNothing() {
        ClientMetricsReceiver receiver = new ClientMetricsReceiver();

        assertThatCode(() -> receiver.clientReceiver().exportMetrics(null, null))
                .doesNotThrowAnyException();
    }

    @Test
    void whatGoesWrongIsCountedAndNotThrownIntoTheBroker() {
        install();
        new ClientMetricsReceiver().clientReceiver().exportMetrics(null, null);

        assertThat(ClientPushes.queue().pushes.labelValues("failed").get()).isOne();
    }

    private static void install() {
        PrometheusRegistry registry = new PrometheusRegistry();
        assertThat(ClientPushes.start(ConfigLoader.defaults().clients(), registry, error -> {}))
                .hasSize(2);
    }
}
