/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.ListenerSecurity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * One process, one sound cluster and everything that can be wrong with others: each is told of by
 * name and key, and the sound one is measured all the while.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadClustersIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final Map<String, Object> ALL_OFF =
            Map.of(
                    "create",
                    false,
                    "expand",
                    false,
                    "reassign",
                    false,
                    "elect",
                    false,
                    "configure",
                    false);

    private KafkaCluster kafka;
    private CanaryProcess canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        kafka =
                KafkaCluster.builder(ROOT, directory.resolve("kafka"))
                        .shortLived()
                        .brokers(1)
                        .security(
                                new ListenerSecurity.SaslSsl(
                                        "admin",
                                        "admin-secret",
                                        Map.of("alice", "alice-secret"),
                                        true))
                        .stopGrace(Duration.ZERO)
                        .build();
        kafka.start();
        kafka.createTopic("created-by-hand", 1, 1, Map.of("message.timestamp.type", "CreateTime"));
        allowAlice("created-by-hand", AclOperation.DESCRIBE);
        allowAlice("created-by-hand", AclOperation.DESCRIBE_CONFIGS);
        allowAlice("created-by-hand", AclOperation.READ);
        allowAlice("created-by-hand", AclOperation.WRITE);
        kafka.createTopic("read-only", 1, 1, Map.of("message.timestamp.type", "LogAppendTime"));
        allowAlice("read-only", AclOperation.DESCRIBE);
        allowAlice("read-only", AclOperation.READ);

        Map<String, Object> clusters = new TreeMap<>();
        clusters.put("sound", cluster("admin", "admin-secret", topic("sound", 1, Map.of())));
        Map<String, Object> unreachable =
                new HashMap<>(cluster("admin", "admin-secret", topic("x", 1, Map.of())));
        unreachable.put("bootstrap-servers", "127.0.0.1:1");
        clusters.put("unreachable", unreachable);
        clusters.put("wrong-password", cluster("alice", "guessed-secret", topic("x", 1, Map.of())));
        clusters.put(
                "no-permission", cluster("alice", "alice-secret", topic("private", 1, Map.of())));
        clusters.put("no-write", cluster("alice", "alice-secret", topic("read-only", 1, ALL_OFF)));
        clusters.put(
                "create-time",
                cluster("alice", "alice-secret", topic("created-by-hand", 1, ALL_OFF)));
        clusters.put("too-few", cluster("admin", "admin-secret", topic("sound", 3, ALL_OFF)));
        clusters.put(
                "too-few-brokers", cluster("admin", "admin-secret", topic("new", 3, Map.of())));
        Map<String, Object> noTrust =
                new HashMap<>(cluster("admin", "admin-secret", topic("x", 1, Map.of())));
        noTrust.put("client", Map.of("security.protocol", "SSL"));
        clusters.put("no-trust", noTrust);
        canary = new CanaryProcess(directory, clusters);
        await("the sound cluster is measured").atMost(BOUND).until(() -> delivered("sound") > 20);
    }

    @AfterAll
    void stop() {
        if (canary != null) {
            canary.close();
        }
        kafka.close();
    }

    @Test
    void anUnreachableClusterIsNamedWithItsAddress() {
        expect("unreachable", "failed", "bootstrap-servers", "no answer from 127.0.0.1:1");
    }

    @Test
    void aWrongPasswordIsTold() {
        expect(
                "wrong-password",
                "failed",
                "client.sasl.jaas.config",
                "refuses the user name or password");
    }

    @Test
    void aMissingTopicPermissionIsTold() {
        expect("no-permission", "failed", "topic.name", "needs Describe, Read and Write");
    }

    @Test
    void aMissingWritePermissionShowsAsFailingProbes() {
        expect("no-write", "running", "producer", "TopicAuthorizationException");
        assertThat(
                        canary.scrape()
                                .sum(
                                        "kafka_canary_probes_total",
                                        "cluster=\"no-write\"",
                                        "outcome=\"send_failed\""))
                .isGreaterThan(0);
    }

    @Test
    void anUntrustedCertificateIsTold() {
        expect("no-trust", "failed", "client.ssl", "TLS handshake");
    }

    @Test
    void aTopicWithAnotherTimestampTypeIsToldAndMeasuredAllTheSame() {
        expect("create-time", "running", "topic.config.message.timestamp.type", "CreateTime");
        await("measured").atMost(BOUND).until(() -> delivered("create-time") > 5);
    }

    @Test
    void aTopicWithTooFewReplicasIsToldAndMeasuredAllTheSame() {
        expect("too-few", "running", "topic.replication-factor", "has 1 replica");
        await("measured").atMost(BOUND).until(() -> delivered("too-few") > 5);
    }

    @Test
    void tooFewBrokersForTheReplicationFactorAreTold() {
        expect(
                "too-few-brokers",
                "failed",
                "topic.replication-factor",
                "the cluster has only 1 broker");
    }

    @Test
    void theSoundClusterIsMeasuredAllTheWhileAndReadinessNamesTheOthersOnly() {
        double before = delivered("sound");
        await("goes on").atMost(BOUND).until(() -> delivered("sound") > before + 20);

        JsonNode sound = canary.cluster("sound");
        assertThat(sound.get("problems")).isEmpty();
        assertThat(sound.get("brokers").get(0).get("endToEnd").get("p50Seconds").asDouble())
                .isPositive();
        assertThat(CanaryPages.conserved(canary.scrape(), 1)).isTrue();
        assertThat(canary.readiness())
                .contains("cluster unreachable: bootstrap-servers: ")
                .doesNotContain("cluster sound");
    }

    @Test
    void eachProblemIsLoggedOnceAndNoSecretIsEverShown() {
        expect("wrong-password", "failed", "client.sasl.jaas.config", "");
        await("several retries")
                .atMost(BOUND)
                .until(
                        () ->
                                canary.scrape()
                                                .sum(
                                                        "kafka_canary_errors_total",
                                                        "cluster=\"wrong-password\"",
                                                        "client=\"admin\"")
                                        >= 3);

        // On a busy machine a time-out may be told of before it.
        String problem = "cluster wrong-password: client.sasl.jaas.config: ";
        assertThat(canary.log().lines().filter(l -> l.contains(problem))).hasSize(1);
        assertThat(canary.log() + canary.status() + canary.scrape().text() + canary.readiness())
                .doesNotContain("admin-secret")
                .doesNotContain("alice-secret")
                .doesNotContain("guessed-secret");
    }

    @Test
    void twoCanariesOnOneTopicTellTheirProbesApart() {
        // "sound" and "too-few" share a topic and, being one process, differ by nothing but their
        // cluster.
        await("the other's probes are seen and ignored")
                .atMost(BOUND)
                .until(
                        () ->
                                canary.scrape()
                                                .sum(
                                                        "kafka_canary_ignored_records_total",
                                                        "cluster=\"sound\"",
                                                        "reason=\"other_canary\"")
                                        > 0);
        assertThat(canary.scrape().sum("kafka_canary_duplicates_total", "cluster=\"sound\""))
                .isZero();
    }

    private void expect(String cluster, String state, String key, String message) {
        await(cluster + " has a problem with " + key)
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            JsonNode node = canary.cluster(cluster);
                            assertThat(node.get("state").asText()).isEqualTo(state);
                            assertThat(node.get("problems"))
                                    .anySatisfy(
                                            p -> {
                                                assertThat(p.get("key").asText()).isEqualTo(key);
                                                assertThat(p.get("message").asText())
                                                        .contains(message);
                                            });
                        });
        assertThat(canary.log()).contains("cluster " + cluster + ": " + key + ": ");
    }

    private double delivered(String cluster) {
        return canary.scrape()
                .sum(
                        "kafka_canary_probes_total",
                        "cluster=\"" + cluster + "\"",
                        "outcome=\"delivered\"");
    }

    private Map<String, Object> cluster(String user, String password, Map<String, Object> topic) {
        Map<String, Object> client = new TreeMap<>(kafka.clientProperties(user, password));
        client.remove("bootstrap.servers");
        return Map.of(
                "bootstrap-servers",
                kafka.bootstrap(),
                "client",
                client,
                "topic",
                topic,
                "probe",
                Map.of("rate", 10));
    }

    private static Map<String, Object> topic(
            String name, int replicationFactor, Map<String, Object> manage) {
        return Map.of("name", name, "replication-factor", replicationFactor, "manage", manage);
    }

    private void allowAlice(String topic, AclOperation operation) throws Exception {
        kafka.admin()
                .createAcls(
                        List.of(
                                new AclBinding(
                                        new ResourcePattern(
                                                ResourceType.TOPIC, topic, PatternType.LITERAL),
                                        new AccessControlEntry(
                                                "User:alice",
                                                "*",
                                                operation,
                                                AclPermissionType.ALLOW))))
                .all()
                .get(20, TimeUnit.SECONDS);
    }
}
