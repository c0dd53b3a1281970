/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static io.phasewise.canary.it.RunningCanary.client;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One process, one sound cluster and everything that can be wrong with others: each is told of by
 * name and key, and the sound one is measured all the while.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadClustersIT {
    private static final String CLUSTERS = """
            clusters:
              sound: {$at, client: $admin, topic: {name: sound, replication-factor: 1}}
              unreachable: {bootstrap-servers: "127.0.0.1:1", topic: {name: x, replication-factor: 1}}
              wrong-password: {$at, client: $guessed, topic: {name: x, replication-factor: 1}}
              no-permission: {$at, client: $alice, topic: {name: private, replication-factor: 1}}
              no-write: {$at, client: $alice, topic: {name: read-only, adopt: true, replication-factor: 1, $off}}
              not-to-know: {$at, client: $alice, topic: {name: read-only, replication-factor: 1}}
              create-time: {$at, client: $alice, topic: {name: by-hand, adopt: true, replication-factor: 1, $off}}
              too-few: {$at, client: $admin, topic: {name: sound, replication-factor: 3, $off}}
              too-few-brokers: {$at, client: $admin, topic: {name: new, replication-factor: 3}}
              no-tls: {$at, topic: {name: x, replication-factor: 1}}
              no-tls-but-password: {$at, client: $clear, topic: {name: x, replication-factor: 1}}
              no-trust: {$at, client: {security.protocol: SSL}, topic: {name: x, replication-factor: 1}}
            """;
    private static final String OFF =
            "manage: {create: false, expand: false, reassign: false, elect: false, configure: false}";

    private static final String SOUND = "cluster=sound";

    private KafkaCluster kafka;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        kafka = TestClusters.secured(directory, Map.of("alice", "alice-secret"), "", more -> more);
        kafka.start();
        kafka.createTopic("by-hand", 1, 1, Map.of("message.timestamp.type", "CreateTime"));
        TestClusters.allow(kafka, "alice", TOPIC, "by-hand", DESCRIBE, DESCRIBE_CONFIGS, READ, WRITE);
        kafka.createTopic("read-only", 1, 1, Map.of("message.timestamp.type", "LogAppendTime"));
        TestClusters.allow(kafka, "alice", TOPIC, "read-only", DESCRIBE, READ);
        String at = "bootstrap-servers: '" + kafka.bootstrap() + "', probe: {rate: 10}";
        canary = RunningCanary.jar(
                directory,
                CLUSTERS.replace("$at", at)
                        .replace("$off", OFF)
                        .replace("$admin", client(kafka.clientProperties()))
                        .replace("$alice", as("alice-secret"))
                        .replace("$clear", as("alice-secret").replace("SASL_SSL", "SASL_PLAINTEXT"))
                        .replace("$guessed", as("guessed-secret")),
                "-Xmx128m");
        awaitDelivered("sound", 20);
    }

    private String as(String password) throws Exception {
        return client(kafka.clientProperties("alice", password));
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, kafka);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    unreachable     | failed  | bootstrap-servers        | no answer from 127.0.0.1:1
                    wrong-password  | failed  | client.sasl.jaas.config  | refuses the user name or password
                    no-permission   | failed  | topic.name               | needs Describe, Read and Write
                    no-tls          | failed  | client.security.protocol | speaks TLS: set client.security.protocol to SSL
                    no-tls-but-password | failed | client.security.protocol | speaks TLS: set client.security.protocol to SSL
                    no-trust        | failed  | client.ssl               | TLS handshake
                    too-few-brokers | failed  | topic.replication-factor | the cluster has only 1 broker
                    no-write        | running | producer                 | TopicAuthorizationException
                    no-write        | running | topic.adopt              | its settings cannot be read
                    not-to-know     | failed  | topic.name               | needs DescribeConfigs
                    too-few         | running | topic.replication-factor | has 1 replica
                    create-time     | running | topic.config.message.timestamp.type | CreateTime
                    """)
    void whatIsWrongIsToldWithItsKey(String cluster, String state, String key, String message) {
        awaitThat(cluster + " has a problem with " + key, () -> {
            JsonNode node = canary.cluster(cluster);
            assertThat(node.get("state").asText()).isEqualTo(state);
            assertThat(node.get("problems"))
                    .filteredOn(problem -> problem.get("key").asText().equals(key))
                    .anyMatch(problem -> problem.get("message").asText().contains(message));
        });
        assertThat(canary.log()).contains("cluster " + cluster + ": " + key + ": ");
    }

    @ParameterizedTest
    @CsvSource({"create-time, delivered", "too-few, delivered", "no-write, send_failed"})
    void aTopicThatIsNotAsConfiguredIsMeasuredAllTheSame(String cluster, String outcome) {
        canary.await(outcome, now -> now.probes(outcome, "cluster=" + cluster) > 5);
    }

    @Test
    void theSoundClusterIsMeasuredAllTheWhileAndReadinessNamesTheOthersOnly() {
        awaitDelivered("sound", canary.scrape().probes("delivered", "cluster=sound") + 20);

        // Where its probes waited longer than the loss horizon before, that is told for as long again.
        awaitThat(
                "the sound cluster has no problem",
                () -> assertThat(canary.cluster("sound").get("problems")).isEmpty());
        JsonNode sound = canary.cluster("sound");
        assertThat(sound.at("/brokers/0/endToEnd/p50Seconds").asDouble()).isPositive();
        assertThat(canary.scrape().conserved("leader=1")).isTrue();
        assertThat(canary.readiness())
                .contains("cluster unreachable: bootstrap-servers: ")
                .doesNotContain("cluster sound");
    }

    @Test
    void eachProblemIsLoggedOnceAndNoSecretIsEverShown() {
        // On a busy machine a time-out may be told of before it.
        String problem = "cluster wrong-password: client.sasl.jaas.config: ";
        RunningCanary.await("logged", () -> canary.log().contains(problem));
        String[] of = {"cluster=wrong-password", "client=admin"};
        // The third comes 30 s after the first: how the pauses grow is RefusedLoginTest's.
        canary.await("a retry", now -> now.sum("kafka_canary_errors_total", of) >= 2);

        // Where an answer took too long, it was out of sight in between.
        long outOfSight = canary.log()
                .lines()
                .filter(line -> line.contains(problem + "not seen any more"))
                .count();
        assertThat(canary.log().lines().filter(line -> line.contains("WARN") && line.contains(problem)))
                .hasSize((int) outOfSight + 1);
        assertThat(canary.log()).doesNotContain(problem + "solved");
        assertThat(canary.log() + canary.status() + canary.scrape().text() + canary.readiness())
                .doesNotContain("admin-secret", "alice-secret", "guessed-secret");
    }

    /**
     * "sound" and "too-few" share a topic and, being one process, differ by nothing but their
     * cluster.
     */
    @Test
    void twoCanariesOnOneTopicTellTheirProbesApart() {
        String others = "reason=other_canary";
        Scrape seen = canary.await(
                "the other's probes are seen and ignored",
                now -> now.sum("kafka_canary_ignored_records_total", SOUND, others) > 0);
        assertThat(seen.sum("kafka_canary_duplicates_total", SOUND)).isZero();
    }

    private void awaitDelivered(String cluster, double probes) {
        canary.await(probes + " probes of " + cluster, now -> now.probes("delivered", "cluster=" + cluster) > probes);
    }
}
