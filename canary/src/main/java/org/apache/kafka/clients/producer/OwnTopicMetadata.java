/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * What a producer knows of its topic, and two things that it does not do: it never has a broker
 * create the topic, and it knows no topic of the same name with another id. A contract test says
 * what is relied upon.
 *
 * <p>Kafka's producer always allows brokers to create what it asks for. A topic that was deleted
 * would be there again within a second, with the brokers' settings.
 *
 * <p>A topic with another id is another topic: the first was deleted, and somebody made one of the
 * same name. To this producer its topic is not there then, so nothing is sent. A produce request of
 * version 13 or newer (Kafka 4.1) names the topic by its id, so that what is under way cannot reach
 * the other topic either. An older one names it by its name, and can, until the producer asks for
 * metadata again.
 */
final class OwnTopicMetadata extends ProducerMetadata {
    /** From this version of the response on, leaders' epochs are reliable (MetadataResponse). */
    private static final short RELIABLE_EPOCHS = 9;

    private final Uuid topicId;
    private final Runnable replaced;
    private final AtomicBoolean said = new AtomicBoolean();

    /**
     * @param config the producer's
     * @param topicId id of the only topic; zero where brokers do not say ids
     * @param replaced called once when there is another topic of the same name; must be quick
     */
    OwnTopicMetadata(ProducerConfig config, Uuid topicId, Runnable replaced) {
        super(
                config.getLong(ProducerConfig.RETRY_BACKOFF_MS_CONFIG),
                config.getLong(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG),
                config.getLong(ProducerConfig.METADATA_MAX_AGE_CONFIG),
                config.getLong(ProducerConfig.METADATA_MAX_IDLE_CONFIG),
                new LogContext("[Producer clientId=" + config.getString(ProducerConfig.CLIENT_ID_CONFIG) + "] "),
                new ClusterResourceListeners());
        this.topicId = topicId;
        this.replaced = replaced;
        // As the producer does with metadata that it makes itself.
        ClientUtils.maybeBootstrapMetadataSynchronously(
                config, config.getList(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG), this);
    }

    @Override
    public synchronized MetadataRequest.Builder newMetadataRequestBuilder() {
        return withoutCreation(super.newMetadataRequestBuilder());
    }

    @Override
    public synchronized MetadataRequest.Builder newMetadataRequestBuilderForNewTopics() {
        return withoutCreation(super.newMetadataRequestBuilderForNewTopics());
    }

    private static MetadataRequest.Builder withoutCreation(MetadataRequest.Builder asked) {
        return new MetadataRequest.Builder(asked.topics(), false);
    }

    @Override
    public synchronized void update(
            int requestVersion, MetadataResponse response, boolean isPartialUpdate, long nowMs) {
        if (response.data().topics().stream().noneMatch(this::isAnother)) {
            super.update(requestVersion, response, isPartialUpdate, nowMs);
            return;
        }
        // A new response: the old one has computed its view for the network client already, and keeps it.
        MetadataResponseData hidden = response.data().duplicate();
        hidden.topics().stream().filter(this::isAnother).toList().forEach(topic -> {
            topic.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
            topic.setTopicId(Uuid.ZERO_UUID);
            topic.partitions().clear();
        });
        short version = response.hasReliableLeaderEpochs() ? RELIABLE_EPOCHS : RELIABLE_EPOCHS - 1;
        super.update(requestVersion, new MetadataResponse(hidden, version), isPartialUpdate, nowMs);
        if (said.compareAndSet(false, true)) {
            replaced.run();
        }
    }

    private boolean isAnother(MetadataResponseTopic topic) {
        return topic.errorCode() == Errors.NONE.code()
                && !topic.topicId().equals(Uuid.ZERO_UUID)
                && !topicId.equals(Uuid.ZERO_UUID)
                && !topic.topicId().equals(topicId);
    }
}
