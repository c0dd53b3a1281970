/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.commands.Removal;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.topic.OwnershipMark;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --remove} deletes in a cluster with an authorizer, and above all what it leaves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemovalIT {
    private KafkaCluster kafka;
    private Admin admin;
    private String clusterId;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        kafka = TestClusters.secured(directory, Map.of("alice", "alice-secret"), "", more -> more);
        kafka.start();
        admin = kafka.admin();
        clusterId = admin.describeCluster().clusterId().get();
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(kafka);
    }

    private List<String> removed(boolean execute, String cluster) throws Exception {
        return removed(admin, execute, cluster);
    }

    private List<String> removed(Admin as, boolean execute, String cluster) throws Exception {
        List<ClusterConfig> profiles = RunningCanary.config(
                        "clusters: {o: {bootstrap-servers: '" + kafka.bootstrap() + "', " + cluster + "}}")
                .clusters();
        List<String> lines = new ArrayList<>();
        Removal removal = new Removal(as, Duration.ofMillis(300), lines::add);
        if (execute) {
            assertThat(removal.remove(profiles)).as("%s", lines).isTrue();
        } else {
            removal.show(profiles);
        }
        return lines;
    }

    private void create(String topic, Origin origin) throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of("retention.ms", "600000"));
        if (origin != null) {
            settings.put(OwnershipMark.SETTING, OwnershipMark.value(clusterId, topic, origin));
        }
        kafka.createTopic(topic, 1, 1, settings);
    }

    private Set<String> topics() throws Exception {
        return admin.listTopics().names().get();
    }

    @Test
    void aTopicThatACanaryCreatedIsDeletedAndOnlyWhenItIsSaidTo() throws Exception {
        create("created", Origin.CREATED);
        assertThat(removed(false, "topic: {name: created}"))
                .contains("would delete topic created: a canary created it");
        assertThat(topics()).contains("created");

        assertThat(removed(true, "topic: {name: created}")).contains("deleted topic created: a canary created it");
        await().until(() -> !topics().contains("created"));

        assertThat(removed(true, "topic: {name: created}")).noneMatch(line -> line.startsWith("deleted"));
    }

    @Test
    void aTopicWithoutTheMarkIsLeftWithTheCommandOfItsOwner() throws Exception {
        create("orders2", null);
        assertThat(removed(true, "topic: {name: orders2}"))
                .anyMatch(line -> line.startsWith("left: topic orders2: it bears no mark"))
                .contains("    kafka-topics.sh --bootstrap-server " + kafka.bootstrap()
                        + " --command-config client.properties --delete --topic orders2");
        assertThat(topics()).contains("orders2");
    }

    /** MirrorMaker and people copy settings. */
    @Test
    void aMarkThatWasCopiedFromAnotherTopicIsNone() throws Exception {
        kafka.createTopic(
                "copied",
                1,
                1,
                Map.of(OwnershipMark.SETTING, OwnershipMark.value(clusterId, "phasewise-canary", Origin.CREATED)));
        removed(true, "topic: {name: copied}");
        assertThat(topics()).contains("copied");
    }

    @Test
    void anAdoptedTopicIsLeftAndItsChangedSettingsAreSaid() throws Exception {
        create("adopted", Origin.ADOPTED);
        assertThat(removed(true, "topic: {name: adopted}"))
                .anyMatch(line -> line.startsWith("left: topic adopted: somebody else created it")
                        && line.contains("retention.ms=600000"))
                .anyMatch(line -> line.contains("--delete-config delete.retention.ms,retention.ms"));
        assertThat(topics()).contains("adopted");
    }

    @Test
    void withReadOnlyNothingIsDeleted() throws Exception {
        create("orders3", Origin.CREATED);
        assertThat(removed(true, "preset: read-only, topic: {name: orders3, adopt: true}"))
                .anyMatch(line -> line.startsWith("left: topic orders3") && line.contains("read-only"))
                .noneMatch(line -> line.startsWith("deleted"));
        assertThat(topics()).contains("orders3");
    }

    @Test
    void aclsAreListedAndNeverDeleted() throws Exception {
        create("shared", Origin.CREATED);
        TestClusters.allow(kafka, "billing", ResourceType.TOPIC, "shared", AclOperation.READ);
        assertThat(removed(true, "topic: {name: shared}"))
                .contains("deleted topic shared: a canary created it")
                .contains("    kafka-acls.sh --bootstrap-server " + kafka.bootstrap()
                        + " --command-config client.properties --remove --allow-principal User:billing"
                        + " --allow-host '*' --operation Read --topic shared --resource-pattern-type literal");
        assertThat(admin.describeAcls(AclBindingFilter.ANY).values().get())
                .anyMatch(acl -> acl.entry().principal().equals("User:billing"));
    }

    /** Whoever reads them could take them for the canary's, and run the commands. */
    @Test
    void theAclsOfSomebodyElsesTopicAreNotListed() throws Exception {
        create("orders4", null);
        TestClusters.allow(kafka, "shop", ResourceType.TOPIC, "orders4", AclOperation.WRITE);
        assertThat(removed(true, "topic: {name: orders4}")).noneMatch(line -> line.contains("kafka-acls.sh"));
    }

    @Test
    void quotasAreListedAndNeverDeleted() throws Exception {
        ClientQuotaEntity entity = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "phasewise-canary-o-x"));
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        entity, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 5000.0)))))
                .all()
                .get();
        await().until(() -> !quotas().isEmpty());
        assertThat(removed(true, "topic: {name: none}"))
                .anyMatch(line -> line.contains(
                        "--delete-config producer_byte_rate --entity-type clients --entity-name phasewise-canary-o-x"));
        assertThat(quotas()).containsKey(entity);
    }

    private Map<ClientQuotaEntity, Map<String, Double>> quotas() throws Exception {
        return admin.describeClientQuotas(ClientQuotaFilter.all()).entities().get();
    }

    @Test
    void aGroupIsDeletedOnlyWhereAllItsOffsetsAreOfTheCanarysTopics() throws Exception {
        create("grouped", Origin.CREATED);
        create("elsewhere", null);
        String drawn = "phasewise-canary-o-0123456789abcdef";
        String mixed = "phasewise-canary-o-fedcba9876543210";
        commit(drawn, "grouped");
        commit(mixed, "elsewhere");
        commit("billing", "elsewhere");
        List<String> lines = removed(true, "topic: {name: grouped}, consumer-group: {enabled: true, id: billing}");

        assertThat(lines)
                .contains("deleted consumer group " + drawn + ": only a canary used it")
                .anyMatch(line -> line.startsWith("left: consumer group " + mixed)
                        && line.contains("offsets of other topics: elsewhere"))
                .anyMatch(line -> line.startsWith("left: consumer group billing"));
        assertThat(groups()).contains(mixed, "billing").doesNotContain(drawn);
    }

    /** Kafka hides offsets of topics that the user may not describe: an application's could be in it. */
    @Test
    void ofAConfiguredGroupOnlyTheOffsetsOfTheCanarysTopicAreDeleted() throws Exception {
        create("grouped6", Origin.CREATED);
        commit("shared6", "grouped6");
        assertThat(removed(true, "topic: {name: grouped6}, consumer-group: {enabled: true, id: shared6}"))
                .anyMatch(line -> line.startsWith("deleted offsets of topic grouped6 in consumer group shared6"))
                .contains("    kafka-consumer-groups.sh --bootstrap-server " + kafka.bootstrap()
                        + " --command-config client.properties --delete --group shared6")
                .noneMatch(line -> line.startsWith("deleted consumer group"));
    }

    /** The same mistake twice: topic and group of one application. */
    @Test
    void aGroupOfATopicThatIsNotTheCanarysIsLeft() throws Exception {
        create("orders5", null);
        commit("billing5", "orders5");
        removed(true, "topic: {name: orders5}, consumer-group: {enabled: true, id: billing5}");
        assertThat(groups()).contains("billing5");
    }

    @Test
    void whoMaySeeNothingDeletesNothingAndIsToldWhy() throws Exception {
        create("hidden", Origin.CREATED);
        try (Admin alice = Admin.create(kafka.clientProperties("alice", "alice-secret"))) {
            assertThat(removed(alice, true, "topic: {name: hidden}"))
                    .anyMatch(line -> line.startsWith("left: topic hidden: nobody can know whose it is")
                            && line.contains("Describe and DescribeConfigs"));
        }
        assertThat(topics()).contains("hidden");
    }

    private void commit(String group, String topic) throws Exception {
        admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0)))
                .all()
                .get();
    }

    private List<String> groups() throws Exception {
        return admin.listGroups().all().get().stream()
                .map(each -> each.groupId())
                .toList();
    }
}
