/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.topic.ClusterObserver;
import io.phasewise.canary.topic.OwnershipMark;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import io.phasewise.canary.topic.TopicApplier;
import io.phasewise.canary.topic.TopicKeeper;
import io.phasewise.canary.topic.TopicObserver;
import io.phasewise.canary.topic.TopicOwnership;
import io.phasewise.canary.topic.TopicOwnership.Records;
import io.phasewise.canary.topic.TopicPlanner;
import io.phasewise.lab.junit.SharedCluster;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A move of replicas that takes longer than from one look to the next. */
class TopicMovesIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final String TOPIC = "own-moved";

    /** Bytes; a follower fetches at most 1 MiB at once, and waits afterwards until the rate is met. */
    private static final int DATA = 4 << 20;

    private static final long A_MINUTE = Duration.ofMinutes(1).toNanos();

    private static Admin admin() {
        return CLUSTER.get().admin();
    }

    @AfterEach
    void unthrottled() throws Exception {
        throttleBrokers(AlterConfigOp.OpType.DELETE);
        admin().deleteTopics(List.of(TOPIC)).all().get(30, TimeUnit.SECONDS);
    }

    @Test
    void isNotAskedForAgainAndIsNoQuarrelWithABalancer() throws Exception {
        String clusterId = admin().describeCluster().clusterId().get();
        Map<String, String> settings = Map.of(
                OwnershipMark.SETTING,
                OwnershipMark.value(clusterId, TOPIC, Origin.CREATED),
                "follower.replication.throttled.replicas",
                "*",
                "leader.replication.throttled.replicas",
                "*");
        // Broker 2 leads nothing, and partition 1 is to be moved to it.
        NewTopic topic = new NewTopic(TOPIC, Map.of(0, List.of(1), 1, List.of(1), 2, List.of(3))).configs(settings);
        admin().createTopics(List.of(topic)).all().get();
        throttleBrokers(AlterConfigOp.OpType.SET);
        fill();
        ClusterConfig config = RunningCanary.config(
                        "clusters: {it: {bootstrap-servers: '%s', topic: {name: %s, replication-factor: 1}}}"
                                .formatted(CLUSTER.get().bootstrap(), TOPIC))
                .clusters()
                .get(0);
        AtomicLong passed = new AtomicLong();
        LongSupplier clock = () -> System.nanoTime() + passed.get();
        TopicKeeper keeper = new TopicKeeper(
                TOPIC,
                new TopicObserver(TopicMovesIT::admin, TOPIC, clock),
                new TopicOwnership(config.topic(), "default"),
                partitions -> Records.OTHERS,
                new TopicPlanner(config.topic()),
                new TopicApplier(TopicMovesIT::admin, "test", TOPIC),
                clock);
        ClusterObserver cluster = new ClusterObserver(TopicMovesIT::admin);

        assertThat(keeper.round(cluster.observe(), true, () -> {}).changed()).isTrue();
        for (int look = 0; look < 4; look++) {
            passed.addAndGet(A_MINUTE); // longer than a change is left alone because a broker may lag
            assertThat(admin().listPartitionReassignments()
                            .reassignments()
                            .get()
                            .keySet())
                    .as("the move goes on")
                    .anyMatch(each -> each.topic().equals(TOPIC));
            assertThat(keeper.round(cluster.observe(), true, () -> {}).problems())
                    .as("look %d", look)
                    .isEmpty();
        }
    }

    private static void fill() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                CLUSTER.get().clientProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] value = new byte[500_000];
            for (int sent = 0; sent < DATA; sent += value.length) {
                for (int partition = 0; partition < 3; partition++) {
                    producer.send(new ProducerRecord<>(TOPIC, partition, null, value));
                }
            }
        }
    }

    private static void throttleBrokers(AlterConfigOp.OpType how) throws Exception {
        Collection<AlterConfigOp> rates = List.of(
                new AlterConfigOp(new ConfigEntry("follower.replication.throttled.rate", "1000"), how),
                new AlterConfigOp(new ConfigEntry("leader.replication.throttled.rate", "1000"), how));
        admin().incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, "1"), rates,
                        new ConfigResource(ConfigResource.Type.BROKER, "2"), rates,
                        new ConfigResource(ConfigResource.Type.BROKER, "3"), rates))
                .all()
                .get(30, TimeUnit.SECONDS);
    }
}
