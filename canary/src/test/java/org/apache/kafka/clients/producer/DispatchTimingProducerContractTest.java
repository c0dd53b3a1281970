/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.producer.internals.ProducerInterceptors;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.clients.producer.internals.Sender;
import org.apache.kafka.clients.producer.internals.SenderMetricsRegistry;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.telemetry.internals.ClientTelemetrySender;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.common.utils.internals.LogContext;
import org.junit.jupiter.api.Test;

/**
 * Says what {@link DispatchTimingProducer} relies on in kafka-clients. When one of these fails
 * after an upgrade, read the class's documentation and adapt it.
 */
class DispatchTimingProducerContractTest {

    private static final String PINNED = "kafka-clients " + AppInfoParser.getVersion() + ": ";

    @Test
    void producerHasTheConstructorThatTakesANetworkClient() {
        assertThatCode(
                        () ->
                                assertNotPrivate(
                                        KafkaProducer.class
                                                .getDeclaredConstructor(
                                                        ProducerConfig.class,
                                                        Serializer.class,
                                                        Serializer.class,
                                                        ProducerMetadata.class,
                                                        KafkaClient.class,
                                                        ProducerInterceptors.class,
                                                        ApiVersions.class,
                                                        Time.class)
                                                .getModifiers()))
                .as(PINNED + "KafkaProducer's constructor that takes a KafkaClient is gone")
                .doesNotThrowAnyException();
    }

    @Test
    void producerMakesItsSenderInAMethodThatCanBeOverridden() {
        assertThatCode(
                        () -> {
                            Method newSender =
                                    KafkaProducer.class.getDeclaredMethod(
                                            "newSender",
                                            LogContext.class,
                                            KafkaClient.class,
                                            ProducerMetadata.class);
                            assertNotPrivate(newSender.getModifiers());
                            assertThat(newSender.getReturnType()).isEqualTo(Sender.class);
                        })
                .as(PINNED + "KafkaProducer.newSender changed")
                .doesNotThrowAnyException();
    }

    @Test
    void producersMetricsCanBeReached() {
        assertThatCode(
                        () ->
                                assertNotPrivate(
                                        KafkaProducer.class
                                                .getDeclaredField("metrics")
                                                .getModifiers()))
                .as(PINNED + "KafkaProducer.metrics changed")
                .doesNotThrowAnyException();
    }

    @Test
    void networkClientIsBuiltAsTheProducerBuildsIt() {
        assertThatCode(
                        () -> {
                            Method factory =
                                    ClientUtils.class.getMethod(
                                            "createNetworkClient",
                                            AbstractConfig.class,
                                            java.util.List.class,
                                            Metrics.class,
                                            String.class,
                                            LogContext.class,
                                            ApiVersions.class,
                                            Time.class,
                                            int.class,
                                            Metadata.class,
                                            Sensor.class,
                                            ClientTelemetrySender.class);
                            assertThat(factory.getReturnType()).isEqualTo(NetworkClient.class);
                            Sender.class.getMethod(
                                    "throttleTimeSensor", SenderMetricsRegistry.class);
                        })
                .as(PINNED + "the factory of network clients changed")
                .doesNotThrowAnyException();
    }

    @Test
    void networkClientsInterfaceHasTheMethodsThatArePassedOn() {
        assertThat(
                        Arrays.stream(KafkaClient.class.getMethods())
                                .map(DispatchTimingProducerContractTest::shape))
                .as(PINNED + "KafkaClient changed: look at what the new methods do with requests")
                .containsExactlyInAnyOrder(
                        "isReady/2",
                        "ready/2",
                        "connectionDelay/2",
                        "pollDelayMs/2",
                        "connectionFailed/1",
                        "authenticationException/1",
                        "send/2",
                        "poll/2",
                        "disconnect/1",
                        "close/1",
                        "close/0",
                        "leastLoadedNode/1",
                        "inFlightRequestCount/0",
                        "inFlightRequestCount/1",
                        "hasInFlightRequests/0",
                        "hasInFlightRequests/1",
                        "hasReadyNodes/1",
                        "wakeup/0",
                        "newClientRequest/4",
                        "newClientRequest/6",
                        "initiateClose/0",
                        "active/0");
        assertThat(Arrays.stream(KafkaClient.class.getMethods()).noneMatch(Method::isDefault))
                .as(PINNED + "KafkaClient has default methods: they would not be passed on")
                .isTrue();
    }

    @Test
    void requestsGiveAwayTheirHandlerAndTheirRecords() {
        assertThatCode(
                        () -> {
                            ClientRequest.class.getMethod("callback");
                            ClientRequest.class.getMethod("requestBuilder");
                            ProduceRequest.class.getMethod("data");
                        })
                .as(PINNED + "requests changed")
                .doesNotThrowAnyException();
    }

    private static String shape(Method method) {
        return method.getName() + "/" + method.getParameterCount();
    }

    private static void assertNotPrivate(int modifiers) {
        assertThat(Modifier.isPrivate(modifiers)).isFalse();
    }
}
