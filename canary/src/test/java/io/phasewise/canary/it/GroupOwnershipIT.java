/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.SharedCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The canary stays out of a consumer group that an application uses, and says so. */
class GroupOwnershipIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static String config(String group, String topic) {
        return """
                clusters:
                  shy:
                    bootstrap-servers: '$at'
                    topic: {name: $topic}
                    consumer-group: {enabled: true, id: $group}
                  sound: {bootstrap-servers: '$at', topic: {name: $topic-beside}}
                """.replace("$at", CLUSTER.get().bootstrap())
                .replace("$topic", topic)
                .replace("$group", group);
    }

    private static Set<String> topicsOf(String group) throws Exception {
        return CLUSTER
                .get()
                .admin()
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .keySet()
                .stream()
                .map(TopicPartition::topic)
                .collect(Collectors.toSet());
    }

    private static List<String> membersOf(String group) throws Exception {
        return CLUSTER.get().admin().describeConsumerGroups(List.of(group)).all().get().get(group).members().stream()
                .map(each -> each.clientId())
                .toList();
    }

    @Test
    void aGroupOfAnApplicationIsNotJoinedUntilItIsGone() throws Exception {
        Admin admin = CLUSTER.get().admin();
        admin.createTopics(List.of(new NewTopic("ownership-orders", 1, (short) 1)))
                .all()
                .get();
        try (RunningCanary canary = joinedByAnApplication()) {
            awaitThat(
                    "told",
                    () -> assertThat(canary.problems("shy"))
                            .contains(
                                    "consumer-group.id",
                                    "offsets of other topics: ownership-orders",
                                    "is not joined",
                                    "another consumer-group.id"));
            canary.await("the other cluster is measured", now -> now.probes("delivered", "cluster=sound") > 20);
            assertThat(membersOf("ownership-billing")).isEmpty();
            assertThat(topicsOf("ownership-billing")).containsExactly("ownership-orders");
            assertThat(canary.cluster("shy").get("state").asText()).isEqualTo("failed");
            assertThat(canary.scrape().sum("kafka_canary_probes_scheduled_total", "cluster=shy"))
                    .isZero();
            assertThat(canary.scrape().sum("kafka_canary_group_ownership", "cluster=shy", "ownership=foreign"))
                    .isEqualTo(1);

            admin.deleteConsumerGroups(List.of("ownership-billing")).all().get();
            canary.awaitReady();
            awaitThat(
                    "joined",
                    () -> assertThat(membersOf("ownership-billing")).containsExactly("phasewise-canary-shy-consumer"));
            canary.awaitNoProblems("shy");
        }
    }

    /** It is a member while the canary starts; after that its offsets are left. */
    private static RunningCanary joinedByAnApplication() throws Exception {
        Map<String, Object> client = Map.of(
                "bootstrap.servers", CLUSTER.get().bootstrap(),
                "group.id", "ownership-billing",
                "client.id", "billing-1",
                "enable.auto.commit", "false");
        try (KafkaConsumer<byte[], byte[]> billing =
                new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            billing.subscribe(List.of("ownership-orders"));
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (billing.assignment().isEmpty() && System.nanoTime() < end) {
                billing.poll(Duration.ofMillis(100));
            }
            billing.commitSync(Map.of(new TopicPartition("ownership-orders", 0), new OffsetAndMetadata(0)));
            RunningCanary canary = RunningCanary.embedded(config("ownership-billing", "ownership-canary"));
            while (!canary.problems("shy").contains("consumer-group.id") && System.nanoTime() < end) {
                billing.poll(Duration.ofMillis(100));
                assertThat(membersOf("ownership-billing")).containsExactly("billing-1");
            }
            assertThat(canary.problems("shy")).contains("members that are no canaries: billing-1 at ");
            return canary;
        }
    }
}
