/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.commands.Preflight;
import io.phasewise.canary.commands.PreflightText;
import io.phasewise.canary.topic.OwnershipMark;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

/** What {@code --check-config --connect} says of users who may do more and less, and that it changes nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PreflightIT {
    /** What each user may do on the topic of its name. */
    private static final Map<String, String> RIGHTS = new TreeMap<>(Map.of(
            "full", "DESCRIBE,DESCRIBE_CONFIGS,READ,WRITE,CREATE,ALTER,ALTER_CONFIGS",
            "absent", "DESCRIBE,DESCRIBE_CONFIGS,READ,WRITE,CREATE",
            "nocreate", "DESCRIBE,DESCRIBE_CONFIGS,READ,WRITE",
            "nowrite", "DESCRIBE,DESCRIBE_CONFIGS,READ",
            "noread", "DESCRIBE,DESCRIBE_CONFIGS,WRITE",
            "nodescribe", "CREATE",
            "nocfg", "DESCRIBE,READ,WRITE",
            "nogroup", "DESCRIBE,DESCRIBE_CONFIGS,READ,WRITE",
            "foreign", "DESCRIBE,DESCRIBE_CONFIGS,READ,WRITE",
            "adopted", "DESCRIBE,DESCRIBE_CONFIGS,READ,WRITE"));

    private KafkaCluster kafka;
    private String clusterId;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Map<String, String> passwords = new TreeMap<>();
        RIGHTS.keySet().forEach(user -> passwords.put(user, "secret-of-" + user));
        kafka = TestClusters.secured(directory, passwords, "", more -> more);
        kafka.start();
        clusterId = kafka.admin().describeCluster().clusterId().get();
        for (Map.Entry<String, String> user : RIGHTS.entrySet()) {
            AclOperation[] operations = Arrays.stream(user.getValue().split(","))
                    .map(AclOperation::valueOf)
                    .toArray(AclOperation[]::new);
            TestClusters.allow(kafka, user.getKey(), ResourceType.TOPIC, "t-" + user.getKey(), operations);
        }
        for (String user : List.of("full", "nowrite", "noread", "nodescribe", "nocfg", "nogroup")) {
            create("t-" + user, Origin.CREATED);
        }
        create("t-foreign", null);
        create("t-adopted", Origin.ADOPTED);
        TestClusters.allow(kafka, "full", ResourceType.GROUP, "g-full", AclOperation.READ);
        TestClusters.allow(kafka, "foreign", ResourceType.GROUP, "billing", AclOperation.READ);
        kafka.admin()
                .alterConsumerGroupOffsets(
                        "billing", Map.of(new TopicPartition("t-foreign", 0), new OffsetAndMetadata(0)))
                .all()
                .get();
        kafka.admin()
                .alterConsumerGroupOffsets("g-full", Map.of(new TopicPartition("t-full", 0), new OffsetAndMetadata(0)))
                .all()
                .get();
    }

    private void create(String topic, Origin origin) throws Exception {
        Map<String, String> settings = new TreeMap<>(Map.of("message.timestamp.type", "LogAppendTime"));
        if (origin != null) {
            settings.put(OwnershipMark.SETTING, OwnershipMark.value(clusterId, topic, origin));
        }
        kafka.createTopic(topic, 1, 1, settings);
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(kafka);
    }

    private String config(String user, String more) throws Exception {
        String client = RunningCanary.client(kafka.clientProperties(user, "secret-of-" + user));
        return "  %s: {bootstrap-servers: '%s', client: %s, topic: {name: t-%s, replication-factor: 1}%s}%n"
                .formatted(user, kafka.bootstrap(), client, user, more);
    }

    /** Returns whether all is sound; what was said is the text. */
    private boolean check(StringWriter text, Duration limit, String... clusters) throws Exception {
        Preflight preflight = new Preflight(
                Admin::create, limit, new PreflightText(new PrintWriter(text), Ansi.OFF), System::nanoTime);
        return preflight.check(
                RunningCanary.config("clusters:\n" + String.join("", clusters)).byCluster());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            full       | , consumer-group: {enabled: true, id: g-full} | true  | may      Write on topic t-full
            full       | , consumer-group: {enabled: true, id: g-full} | true  | may      Read on consumer group g-full
            full       | , consumer-group: {enabled: true, id: g-full} | true  | topic t-full: a canary created it
            absent     |                                               | true  | may      Create on topic t-absent
            absent     |                                               | true  | unknown  Write, Read and DescribeConfigs on topic t-absent
            nocreate   |                                               | false | may not  Create on topic t-nocreate
            nowrite    |                                               | false | may not  Write on topic t-nowrite
            noread     |                                               | false | may not  Read on topic t-noread
            nodescribe |                                               | false | may not  Describe on topic t-nodescribe
            nocfg      |                                               | false | may not  DescribeConfigs on topic t-nocfg
            nocfg      |                                               | false | nobody can know whether it is
            nogroup    | , consumer-group: {enabled: true, id: g-none} | false | consumer group g-none cannot be looked at
            foreign    |                                               | false | topic t-foreign: is not the canary's
            foreign    | , consumer-group: {enabled: true, id: billing} | false | offsets of other topics
            adopted    |                                               | false | topic t-adopted: is not the canary's
            """)
    void eachUserIsToldWhatItMayAndWhatIsMissing(String user, String more, boolean sound, String line)
            throws Exception {
        StringWriter text = new StringWriter();
        String group = more == null ? "" : more;
        boolean isSound = check(text, Preflight.LIMIT, config(user, group));
        assertThat(text.toString()).contains(line).doesNotContain("secret-of-");
        assertThat(isSound).as(text.toString()).isEqualTo(sound);
    }

    @Test
    void aClusterThatHangsOrIsNotThereKeepsNobodyWaitingAndTheOthersAreAsked() throws Exception {
        try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            StringWriter text = new StringWriter();
            Duration limit = Duration.ofSeconds(8);
            long start = System.nanoTime();
            boolean isSound = check(
                    text,
                    limit,
                    config("full", ""),
                    "  hung: {bootstrap-servers: '127.0.0.1:" + hung.getLocalPort() + "'}\n",
                    "  unreachable: {bootstrap-servers: '127.0.0.1:1'}\n");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("one limit for all, not one for each; on a busy machine it takes seconds to begin")
                    .isLessThan(limit.multipliedBy(2));
            assertThat(isSound).isFalse();
            assertThat(text.toString())
                    .contains("may      Write on topic t-full")
                    .containsPattern("(?s)cluster hung.*not asked: .*cluster unreachable.*not asked: ");
        }
    }

    @Test
    void nothingIsChanged() throws Exception {
        Set<String> topics = kafka.admin().listTopics().names().get();
        List<String> groups = groups();
        StringWriter text = new StringWriter();
        List<String> all = new ArrayList<>();
        for (String user : RIGHTS.keySet()) {
            all.add(config(user, ", consumer-group: {enabled: true}"));
        }
        check(text, Preflight.LIMIT, all.toArray(String[]::new));

        assertThat(kafka.admin().listTopics().names().get()).isEqualTo(topics);
        assertThat(groups()).isEqualTo(groups);
    }

    private List<String> groups() throws Exception {
        return kafka.admin().listGroups().all().get().stream()
                .map(each -> each.groupId())
                .sorted()
                .toList();
    }
}
