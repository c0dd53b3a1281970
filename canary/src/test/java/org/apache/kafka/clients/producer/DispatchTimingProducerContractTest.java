/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.MetadataSnapshot;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.common.utils.internals.LogContext;
import org.junit.jupiter.api.Test;

/**
 * Says what {@link DispatchTimingProducer} relies on in kafka-clients beside what the compiler
 * sees. When one of these fails after an upgrade, read the class's documentation and adapt it.
 */
class DispatchTimingProducerContractTest {

    private static final int EPOCH = 5;
    private static final String PINNED = "kafka-clients " + AppInfoParser.getVersion() + ": ";

    @Test
    void networkClientsInterfaceHasNoMethodsThatAreNotPassedOn() {
        assertThat(Arrays.stream(KafkaClient.class.getMethods()).noneMatch(Method::isDefault))
                .as(PINNED + "KafkaClient has default methods: they would not be passed on")
                .isTrue();
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
                Map.of(partition, new Metadata.LeaderIdAndEpoch(Optional.of(2), Optional.of(EPOCH + 1))),
                List.of(second));

        assertThat(metadata.currentLeader(partition).leader).contains(second);
        assertThat(metadata.fetchMetadataSnapshot())
                .as(PINNED + "leaders are read only when the snapshot is another one")
                .isNotSameAs(before);
    }

    @Test
    void aProducerThatKnowsNoLeaderFailsTheRecordBeforeSendReturnsByATimeoutWithoutACause() {
        Map<String, Object> nowhere = Map.of("bootstrap.servers", "127.0.0.1:1", "max.block.ms", 0);
        AtomicReference<Exception> failed = new AtomicReference<>();
        try (DispatchTimingProducer producer = DispatchTimingProducer.create(
                nowhere, DispatchTimingProducer.OwnTopic.ANY, System::nanoTime, (partition, value, dispatch) -> {})) {
            Thread sender = Thread.currentThread();
            producer.sendTimed(new ProducerRecord<>("probes", 0, null, new byte[1]), (metadata, failure, dispatch) -> {
                if (Thread.currentThread() == sender && dispatch == null) {
                    failed.set(failure);
                }
            });

            assertThat(failed.get())
                    .as(PINNED + "such probes wait for a leader")
                    .isExactlyInstanceOf(TimeoutException.class)
                    .hasNoCause()
                    .hasMessageContaining("not present in metadata");
        }
    }

    /** As a broker tells it: one topic with one partition, led by the first node. */
    private static Metadata metadata(Node... nodes) {
        ProducerMetadata metadata = new ProducerMetadata(
                100, 1_000, Long.MAX_VALUE, Long.MAX_VALUE, new LogContext(), new ClusterResourceListeners());
        metadata.add("probes", 0);
        List<Integer> ids = Arrays.stream(nodes).map(Node::id).toList();
        MetadataResponseData.MetadataResponseTopic topic = new MetadataResponseData.MetadataResponseTopic()
                .setName("probes")
                .setTopicId(Uuid.randomUuid())
                .setPartitions(List.of(new MetadataResponseData.MetadataResponsePartition()
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
}
