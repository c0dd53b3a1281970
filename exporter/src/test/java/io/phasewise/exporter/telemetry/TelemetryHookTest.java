/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TelemetryHookTest {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final List<String> errors = new ArrayList<>();

    @AfterEach
    void forget() {
        TelemetryHook.uninstall();
    }

    @Test
    void nothingIsReceivedUntilABrokerMakesAReceiver() {
        install();
        assertThat(TelemetryHook.part().isStarted()).isFalse();

        new ClientMetricsReceiver();

        assertThat(TelemetryHook.part().isStarted()).isTrue();
    }

    @Test
    void theReceiverMayBeThereBeforeTheAgent() {
        new ClientMetricsExporter();
        install();

        assertThat(TelemetryHook.part().isStarted()).isTrue();
    }

    @Test
    void aSecondAgentLeavesThePushesToTheFirst() {
        install();
        ClientTelemetryPart first = TelemetryHook.part();
        ClientTelemetryPart.install(
                instrumentation(),
                ClientSettings.defaults(),
                new PrometheusRegistry(),
                errors::add);

        assertThat(TelemetryHook.part()).isSameAs(first);
        assertThat(errors).singleElement().asString().contains("loaded before");
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

        assertThat(TelemetryHook.part().queue().counts().of(PushCounts.Result.FAILED)).isOne();
    }

    private void install() {
        ClientTelemetryPart.install(
                instrumentation(), ClientSettings.defaults(), registry, errors::add);
    }

    private static Instrumentation instrumentation() {
        return (Instrumentation)
                Proxy.newProxyInstance(
                        TelemetryHookTest.class.getClassLoader(),
                        new Class<?>[] {Instrumentation.class},
                        (proxy, method, arguments) -> null);
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
