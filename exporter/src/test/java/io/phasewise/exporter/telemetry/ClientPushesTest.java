/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.phasewise.exporter.config.ConfigLoader;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientPushesTest {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final List<String> errors = new ArrayList<>();

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
        ClientMetricsReceiver receiver = new ClientMetricsReceiver();
        receiver.clientReceiver().exportMetrics(null, new BrokenPayload());

        assertThat(ClientPushes.queue().counts.of(PushCounts.Result.FAILED)).isOne();
    }

    private void install() {
        assertThat(ClientPushes.start(ConfigLoader.defaults().clients(), registry, errors::add))
                .hasSize(1);
    }

    private static final class BrokenPayload implements ClientTelemetryPayload {
        @Override
        public Uuid clientInstanceId() {
            return Uuid.ONE_UUID;
        }

        @Override
        public boolean isTerminating() {
            return false;
        }

        @Override
        public String contentType() {
            return "OTLP";
        }

        @Override
        public ByteBuffer data() {
            throw new IllegalStateException("no data");
        }
    }
}
