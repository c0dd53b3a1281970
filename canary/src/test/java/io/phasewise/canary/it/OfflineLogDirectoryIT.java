/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static io.phasewise.canary.it.RunningCanary.client;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.ListenerSecurity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two brokers, the second with two log directories. The one that holds the canary's partition
 * fails: the broker stays up and cannot lead. The canary names the directory, or the right without
 * which it cannot know.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OfflineLogDirectoryIT {
    private static final String TOPIC = "offline-dir";

    private KafkaCluster kafka;
    private RunningCanary canary;
    private Path second;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Map<String, String> users = Map.of("knows", "knows-secret", "knows-not", "knows-not-secret");
        kafka = TestClusters.own(
                directory,
                2,
                "log.flush.offset.checkpoint.interval.ms=1000\nlog.flush.start.offset.checkpoint.interval.ms=1000",
                builder -> builder.security(new ListenerSecurity.SaslSsl("admin", "admin-secret", users, true)));
        kafka.prepare();
        Path home = directory.resolve("kafka/broker-2");
        second = home.resolve("second");
        addLogDirectory(home);
        kafka.launch();
        kafka.awaitReady();
        NewTopic topic = new NewTopic(TOPIC, Map.of(0, List.of(1, 2), 1, List.of(2, 1)))
                .configs(Map.of("message.timestamp.type", "LogAppendTime"));
        kafka.admin().createTopics(List.of(topic)).all().get();
        moveToSecond(0);
        moveToSecond(1);
        StringBuilder clusters = new StringBuilder("clusters:\n");
        for (String user : List.of("knows", "knows-not")) {
            TestClusters.allow(kafka, user, ResourceType.TOPIC, TOPIC, AclOperation.ALL);
            clusters.append(
                    "  %s: {bootstrap-servers: '%s', probe: {rate: 5}, preset: read-only, client: %s, topic: {name: %s, adopt: true, replication-factor: 2, min-insync-replicas: 1}}\n"
                            .formatted(
                                    user,
                                    kafka.bootstrap(),
                                    client(kafka.clientProperties(user, user + "-secret")),
                                    TOPIC));
        }
        TestClusters.allow(kafka, "knows", ResourceType.CLUSTER, Resource.CLUSTER_NAME, AclOperation.DESCRIBE);
        canary = RunningCanary.jar(directory, clusters.toString(), "-Xmx128m");
    }

    private void addLogDirectory(Path home) throws Exception {
        TestClusters.change(
                home.resolve("server.properties"),
                properties -> properties.compute("log.dirs", (key, first) -> first + "," + second));
        Path meta = kafka.broker(2).dataDirectory().resolve("meta.properties");
        Path copy = Files.copy(meta, Files.createDirectories(second).resolve("meta.properties"));
        TestClusters.change(copy, properties -> properties.remove("directory.id")); // it is given one of its own
    }

    private void moveToSecond(int partition) throws Exception {
        TopicPartitionReplica replica = new TopicPartitionReplica(TOPIC, partition, 2);
        awaitThat("moved", () -> {
            kafka.admin()
                    .alterReplicaLogDirs(Map.of(replica, second.toString()))
                    .all()
                    .get();
            assertThat(kafka.admin()
                            .describeReplicaLogDirs(List.of(replica))
                            .all()
                            .get()
                            .get(replica)
                            .getCurrentReplicaLogDir())
                    .isEqualTo(second.toString());
        });
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, kafka);
    }

    @Test
    void theDirectoryThatFailedIsNamedOrTheRightThatItTakes() throws Exception {
        canary.awaitReady();
        Files.move(second, second.resolveSibling("gone"));
        Files.writeString(second, "no directory any more");

        String found = "no probe measures broker 2, although it is up: its replica of partition 1 is not in sync";
        awaitThat(
                "the directory",
                () -> assertThat(canary.problems("knows"))
                        .contains(found, "log directory " + second + " of that broker is offline"));
        awaitThat(
                "the right",
                () -> assertThat(canary.problems("knows-not"))
                        .contains(found, "only by a user with Describe on the cluster"));
        assertThat(canary.scrape().sum("kafka_canary_broker_reachable", "cluster=knows", "broker=2"))
                .isEqualTo(1);
    }
}
