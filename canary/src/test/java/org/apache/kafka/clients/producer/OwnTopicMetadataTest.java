/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What a producer knows of its topic, and what it must not know. */
class OwnTopicMetadataTest {
    private static final Node NODE = new Node(1, "one", 9092);
    private static final TopicPartition PARTITION = new TopicPartition("probes", 0);

    private final Uuid own = Uuid.randomUuid();
    private final AtomicInteger replaced = new AtomicInteger();

    @Test
    void noRequestForMetadataAllowsABrokerToCreateTheTopic() {
        OwnTopicMetadata metadata = metadata(own);

        MetadataRequest.Builder all = metadata.newMetadataRequestBuilder();
        MetadataRequest.Builder fresh = metadata.newMetadataRequestBuilderForNewTopics();

        for (MetadataRequest.Builder asked : List.of(all, fresh)) {
            assertThat(asked.topics()).containsExactly("probes");
            assertThat(asked.build(ApiKeys.METADATA.latestVersion()).data().allowAutoTopicCreation())
                    .isFalse();
        }
    }

    @Test
    void theTopicOfTheIdIsKnownAndOneOfAnotherIdIsNot() {
        OwnTopicMetadata metadata = metadata(own);
        tell(metadata, own);
        assertThat(metadata.currentLeader(PARTITION).leader).contains(NODE);
        assertThat(replaced).hasValue(0);

        for (int times = 0; times < 2; times++) {
            tell(metadata, Uuid.randomUuid());
            assertThat(metadata.currentLeader(PARTITION).leader).isEmpty();
            assertThat(metadata.topicIds()).doesNotContainKey("probes");
        }
        assertThat(replaced).as("said once").hasValue(1);

        tell(metadata, own);
        assertThat(metadata.currentLeader(PARTITION).leader)
                .as("a broker lagged behind")
                .contains(NODE);
    }

    @Test
    void whereBrokersOrTheCallerSayNoIdTheNameCounts() {
        OwnTopicMetadata ofOldBrokers = metadata(own);
        tell(ofOldBrokers, Uuid.ZERO_UUID);
        assertThat(ofOldBrokers.currentLeader(PARTITION).leader).contains(NODE);

        OwnTopicMetadata any = metadata(Uuid.ZERO_UUID);
        tell(any, Uuid.randomUuid());
        assertThat(any.currentLeader(PARTITION).leader).contains(NODE);
        assertThat(replaced).hasValue(0);
    }

    private OwnTopicMetadata metadata(Uuid id) {
        ProducerConfig config = new ProducerConfig(Map.of(
                "bootstrap.servers", "127.0.0.1:9092",
                "key.serializer", ByteArraySerializer.class,
                "value.serializer", ByteArraySerializer.class));
        OwnTopicMetadata metadata = new OwnTopicMetadata(config, id, replaced::incrementAndGet);
        metadata.add("probes", 0);
        return metadata;
    }

    private static void tell(OwnTopicMetadata metadata, Uuid id) {
        MetadataResponseTopic topic = new MetadataResponseTopic()
                .setName("probes")
                .setTopicId(id)
                .setPartitions(new ArrayList<>(List.of(new MetadataResponsePartition()
                        .setPartitionIndex(0)
                        .setLeaderId(NODE.id())
                        .setLeaderEpoch(5)
                        .setReplicaNodes(List.of(NODE.id()))
                        .setIsrNodes(List.of(NODE.id())))));
        MetadataResponse response = MetadataResponse.prepareResponse(
                ApiKeys.METADATA.latestVersion(), 0, List.of(NODE), "cluster", NODE.id(), List.of(topic), 0);
        // As the network client does before it hands it on; a response remembers what it said.
        assertThat(response.topicMetadata()).hasSize(1);
        metadata.updateWithCurrentRequestVersion(response, false, 0);
    }
}
