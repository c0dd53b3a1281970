/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.process.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Brokers that want encryption, a password and a permission, of each release line. */
class SecuredKafkaClusterIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final ListenerSecurity SECURITY =
            new ListenerSecurity.SaslSsl(
                    "admin", "admin-secret", Map.of("alice", "alice-secret"), true);

    @TempDir Path directory;

    @Test
    void aUserNeedsTheRightPasswordAndThePermission() throws Exception {
        tryAlice(KafkaVersion.V4_4);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "V4_4")
    void aUserNeedsThemOfOlderReleasesToo(KafkaVersion version) throws Exception {
        tryAlice(version);
    }

    private void tryAlice(KafkaVersion version) throws Exception {
        try (KafkaCluster cluster =
                KafkaCluster.builder(ROOT, directory)
                        .shortLived()
                        .brokers(1)
                        .version(version)
                        .security(SECURITY)
                        .stopGrace(Duration.ZERO)
                        .build()) {
            cluster.start();
            cluster.withLogsOnFailure(
                    () -> {
                        cluster.createTopic("orders", 1, 1, Map.of());

                        assertThatThrownBy(() -> describe(cluster, "alice", "wrong"))
                                .hasRootCauseInstanceOf(SaslAuthenticationException.class);
                        assertThatThrownBy(() -> send(cluster))
                                .hasRootCauseInstanceOf(TopicAuthorizationException.class);

                        allowAliceToWrite(cluster);
                        // The broker hears of a permission some time after it was given.
                        Await.that("alice may write", Duration.ofSeconds(60))
                                .until(
                                        () -> {
                                            send(cluster);
                                            return Optional.empty();
                                        });
                        return null;
                    });
        }
    }

    private static void describe(KafkaCluster cluster, String user, String password)
            throws Exception {
        try (Admin admin = Admin.create(cluster.clientProperties(user, password))) {
            admin.describeCluster().nodes().get(20, TimeUnit.SECONDS);
        }
    }

    private static void send(KafkaCluster cluster) throws Exception {
        Map<String, Object> properties = cluster.clientProperties("alice", "alice-secret");
        properties.put("enable.idempotence", "false");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("orders", "value")).get(20, TimeUnit.SECONDS);
        }
    }

    private static void allowAliceToWrite(KafkaCluster cluster)
            throws InterruptedException, ExecutionException {
        cluster.admin()
                .createAcls(
                        List.of(
                                new AclBinding(
                                        new ResourcePattern(
                                                ResourceType.TOPIC, "orders", PatternType.LITERAL),
                                        new AccessControlEntry(
                                                "User:alice",
                                                "*",
                                                AclOperation.WRITE,
                                                AclPermissionType.ALLOW))))
                .all()
                .get();
    }
}
