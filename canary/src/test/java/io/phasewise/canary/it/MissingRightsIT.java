/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static io.phasewise.canary.it.RunningCanary.client;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.topic.OwnershipMark;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.ListenerSecurity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each right of the table in the documentation is taken from a user that has all others, on brokers
 * with an authorizer: the problem names the right and what it is on.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MissingRightsIT {
    private static final Path TABLE = Path.of(System.getProperty("phasewise.root"), "docs/how-to/security.md");

    /** Two partitions that the same broker leads, which a reassignment would mend. */
    private static final int BOTH_ON_ONE = -1;

    /**
     * A user that lacks one right, and the cluster of the configuration that is it.
     *
     * @param name of user, cluster and topic
     * @param right as the table has it: resource and operation
     * @param has rights on the topic; a right that Kafka takes as implied by another one is missing
     *     only with that
     * @param partitions of the topic; 0 where there is none
     * @param more of the cluster's configuration
     * @param key of the problem
     * @param told part of its message
     */
    private record Case(String name, String right, String has, int partitions, String more, String key, String told) {
        @Override
        public String toString() {
            return right;
        }
    }

    private static final String OWN = ", manage: {reassign: false, elect: false, configure: false}";

    private static final List<Case> CASES = List.of(
            new Case(
                    "no-describe",
                    "Topic Describe",
                    "DESCRIBE_CONFIGS",
                    2,
                    "",
                    "topic.name",
                    "needs Describe, Read and Write on it"),
            new Case(
                    "no-write",
                    "Topic Write",
                    "DESCRIBE,READ,DESCRIBE_CONFIGS",
                    2,
                    OWN,
                    "producer",
                    "needs Write on topic no-write"),
            new Case(
                    "no-read",
                    "Topic Read",
                    "DESCRIBE,WRITE,DESCRIBE_CONFIGS",
                    2,
                    OWN,
                    "consumer",
                    "needs Read on topic no-read"),
            new Case(
                    "no-describe-configs",
                    "Topic DescribeConfigs",
                    "DESCRIBE,WRITE,READ",
                    2,
                    OWN,
                    "topic.manage.configure",
                    "needs DescribeConfigs on topic no-describe-configs"),
            new Case(
                    "no-create",
                    "Topic Create",
                    "DESCRIBE,WRITE,READ,DESCRIBE_CONFIGS,ALTER,ALTER_CONFIGS",
                    0,
                    "",
                    "topic.manage.create",
                    "needs Create on topic no-create"),
            new Case(
                    "no-alter",
                    "Topic Alter",
                    "DESCRIBE,WRITE,READ,CREATE,DESCRIBE_CONFIGS,ALTER_CONFIGS",
                    1,
                    OWN,
                    "topic.manage.expand",
                    "needs Alter on topic no-alter"),
            new Case(
                    "no-alter-configs",
                    "Topic AlterConfigs",
                    "DESCRIBE,WRITE,READ,CREATE,DESCRIBE_CONFIGS,ALTER",
                    2,
                    ", manage: {reassign: false, elect: false}",
                    "topic.manage.configure",
                    "needs AlterConfigs on topic no-alter-configs"),
            new Case(
                    "no-cluster-alter",
                    "Cluster Alter",
                    "ALL",
                    BOTH_ON_ONE,
                    "",
                    "topic.manage.reassign",
                    "needs Alter on the cluster"),
            new Case(
                    "no-group-read",
                    "Group Read",
                    "ALL",
                    2,
                    OWN + "}, consumer-group: {enabled: true, id: no-group-read",
                    "consumer-group.id",
                    "group no-group-read may be somebody else's, which this user cannot see (it needs Read on the group)"));

    private KafkaCluster kafka;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Map<String, String> passwords = new HashMap<>();
        CASES.forEach(each -> passwords.put(each.name(), each.name() + "-secret"));
        passwords.put("quota", "quota-secret");
        ListenerSecurity security = new ListenerSecurity.SaslSsl("admin", "admin-secret", passwords, true);
        kafka = TestClusters.own(directory, 2, "", builder -> builder.security(security));
        kafka.start();
        StringBuilder clusters = new StringBuilder("clusters:\n");
        for (Case each : CASES) {
            if (each.partitions() == BOTH_ON_ONE) {
                NewTopic uneven = new NewTopic(each.name(), Map.of(0, List.of(1), 1, List.of(1)));
                kafka.admin()
                        .createTopics(List.of(uneven.configs(settings(each.name()))))
                        .all()
                        .get();
            } else if (each.partitions() > 0) {
                kafka.createTopic(each.name(), each.partitions(), 1, settings(each.name()));
            }
            AclOperation[] operations = Arrays.stream(each.has().split(","))
                    .map(AclOperation::valueOf)
                    .toArray(AclOperation[]::new);
            TestClusters.allow(kafka, each.name(), ResourceType.TOPIC, each.name(), operations);
            clusters.append(
                    "  %s: {bootstrap-servers: '%s', probe: {rate: 5, lanes: 2}, client: %s, topic: {name: %s, replication-factor: 1%s}}\n"
                            .formatted(each.name(), kafka.bootstrap(), as(each.name()), each.name(), each.more()));
        }
        TestClusters.allow(kafka, "quota", ResourceType.TOPIC, "quota", AclOperation.ALL);
        clusters.append("""
                  quota:
                    bootstrap-servers: '%s'
                    client: %s
                    topic: {name: quota, replication-factor: 1}
                    probe: {rate: 20, lanes: 2}
                """.formatted(kafka.bootstrap(), as("quota")));
        setQuota("quota", 2_000);
        canary = RunningCanary.jar(directory, clusters.toString(), "-Xmx192m");
    }

    /** As a canary sets them: the topic is one's that had all rights. */
    private Map<String, String> settings(String topic) throws Exception {
        String clusterId = kafka.admin().describeCluster().clusterId().get();
        return Map.of(
                "message.timestamp.type",
                "LogAppendTime",
                OwnershipMark.SETTING,
                OwnershipMark.value(clusterId, topic, OwnershipMark.Origin.CREATED));
    }

    private String as(String user) throws Exception {
        return client(kafka.clientProperties(user, user + "-secret"));
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, kafka);
    }

    static List<Case> cases() {
        return CASES;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theProblemNamesTheRightAndWhatItIsOn(Case each) {
        awaitThat(
                each.right(),
                () -> assertThat(canary.cluster(each.name()).get("problems"))
                        .filteredOn(problem -> problem.get("key").asText().equals(each.key()))
                        .anyMatch(problem -> problem.get("message").asText().contains(each.told())));
        assertThat(canary.log()).contains("cluster " + each.name() + ": " + each.key() + ": ");
    }

    @Test
    void aUserOverItsQuotaIsToldSo() {
        awaitThat(
                "quota",
                () -> assertThat(canary.problems("quota"))
                        .contains("\"key\":\"quota\"")
                        .containsPattern("produce requests by up to [0-9]+ ms"));
    }

    private void setQuota(String user, double bytes) throws Exception {
        kafka.admin()
                .alterClientQuotas(List.of(new ClientQuotaAlteration(
                        new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, user)),
                        List.of(
                                new ClientQuotaAlteration.Op("producer_byte_rate", bytes),
                                new ClientQuotaAlteration.Op("consumer_byte_rate", bytes)))))
                .all()
                .get();
    }

    /** The row of Describe on the cluster is {@link OfflineLogDirectoryIT}'s. */
    @Test
    void everyRightOfTheDocumentationIsTakenAwayHere() throws Exception {
        Set<String> documented = new TreeSet<>();
        String resource = "";
        boolean inTable = false;
        for (String line : Files.readAllLines(TABLE)) {
            inTable = inTable ? line.startsWith("|") : line.startsWith("| resource | operation | for | without it");
            String[] cells = line.split("\\|");
            if (!inTable
                    || cells.length < 3
                    || cells[2].isBlank()
                    || cells[2].contains("operation")
                    || cells[2].startsWith("-")) {
                continue;
            }
            resource = cells[1].isBlank() ? resource : cells[1].strip().split(" ")[0];
            for (String operation : cells[2].strip().split(", ")) {
                documented.add(resource + " " + operation);
            }
        }
        Set<String> taken = CASES.stream().map(Case::right).collect(Collectors.toCollection(TreeSet::new));
        taken.add("Cluster Describe");
        assertThat(taken).isEqualTo(documented);
    }
}
