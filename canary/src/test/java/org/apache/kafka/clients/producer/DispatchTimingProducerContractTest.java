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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.MetadataSnapshot;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.producer.internals.ProducerInterceptors;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.clients.producer.internals.Sender;
import org.apache.kafka.clients.producer.internals.SenderMetricsRegistry;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.MetadataResponse;
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

    private static final int EPOCH = 5;
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

    @Test
    void eachChangeOfTheMetadataMakesANewSnapshotAndNothingElseDoes() {
        Node first = new Node(1, "one", 9092);
        Node second = new Node(2, "two", 9092);
        TopicPartition partition = new TopicPartition("probes", 0);
        Metadata metadata = metadata(first, second);
        MetadataSnapshot before = metadata.fetchMetadataSnapshot();
        assertThat(metadata.currentLeader(partition).leader).contains(first);
        assertThat(metadata.fetchMetadataSnapshot()).isSameAs(before);

        metadata.updatePartitionLeadership(
                Map.of(
                        partition,
                        new Metadata.LeaderIdAndEpoch(Optional.of(2), Optional.of(EPOCH + 1))),
                List.of(second));

        assertThat(metadata.currentLeader(partition).leader).contains(second);
        assertThat(metadata.fetchMetadataSnapshot())
                .as(PINNED + "leaders are read only when the snapshot is another one")
                .isNotSameAs(before);
    }

    /** As a broker tells it: one topic with one partition, led by the first node. */
    private static Metadata metadata(Node... nodes) {
        ProducerMetadata metadata =
                new ProducerMetadata(
                        100,
                        1_000,
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        new LogContext(),
                        new ClusterResourceListeners());
        metadata.add("probes", 0);
        List<Integer> ids = Arrays.stream(nodes).map(Node::id).toList();
        MetadataResponseData.MetadataResponseTopic topic =
                new MetadataResponseData.MetadataResponseTopic()
                        .setName("probes")
                        .setTopicId(Uuid.randomUuid())
                        .setPartitions(
                                List.of(
                                        new MetadataResponseData.MetadataResponsePartition()
                                                .setPartitionIndex(0)
                                                .setLeaderId(nodes[0].id())
                                                .setLeaderEpoch(EPOCH)
                                                .setReplicaNodes(ids)
                                                .setIsrNodes(ids)));
        metadata.updateWithCurrentRequestVersion(
                MetadataResponse.prepareResponse(
                        ApiKeys.METADATA.latestVersion(),
                        0,
                        Arrays.asList(nodes),
                        "cluster",
                        nodes[0].id(),
                        List.of(topic),
                        0),
                false,
                0);
        return metadata;
    }

    private static String shape(Method method) {
        return method.getName() + "/" + method.getParameterCount();
    }

    private static void assertNotPrivate(int modifiers) {
        assertThat(Modifier.isPrivate(modifiers)).isFalse();
    }
}
