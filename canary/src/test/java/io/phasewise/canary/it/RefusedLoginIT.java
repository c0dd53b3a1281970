/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static io.phasewise.canary.it.RunningCanary.client;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a user may do ends while the canary runs. A password ceases to be right: few logins are
 * tried, so that no account is locked, and the right one is taken up at once. Rights are taken away
 * and given back: nobody is told meanwhile that the broker is measured.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedLoginIT {
    private static final String FAILED = "Failed authentication with";
    private static final String FIRST = "first-secret";
    private static final String SECOND = "second-secret";

    private Path password;
    private PortLease ports;
    private KafkaCluster kafka;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        ports = PortLease.take(2);
        password = Files.writeString(
                Files.createDirectory(directory.resolve("secrets")).resolve("password"), FIRST);
        kafka = TestClusters.secured(
                directory,
                Map.of("alice", FIRST),
                "offsets.topic.num.partitions=1",
                more -> more.ports(id -> new BrokerPorts(ports.port(0), ports.port(1))));
        kafka.start();
        TestClusters.allow(kafka, "alice", ResourceType.TOPIC, "phasewise-canary", AclOperation.ALL);
        TestClusters.allow(kafka, "alice", ResourceType.CLUSTER, Resource.CLUSTER_NAME, AclOperation.ALL);
        String client = client(kafka.clientProperties("alice", "\\${dir:" + password.getParent() + ":password}"))
                .replaceFirst(
                        "\\{",
                        "{\"config.providers\":\"dir\",\"config.providers.dir.class\":"
                                + "\"org.apache.kafka.common.config.provider.DirectoryConfigProvider\",");
        canary = RunningCanary.jar(directory, """
                clusters:
                  alice: {bootstrap-servers: "%s", client: %s, topic: {replication-factor: 1}}
                """.formatted(kafka.bootstrap(), client), "-Xmx128m");
        canary.await("probes", now -> now.probes("delivered", "cluster=alice") > 20);
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, kafka, ports);
    }

    @Test
    void fewLoginsAreTriedWhileAPasswordIsWrongAndTheRightOneIsTakenUpAtOnce() throws Exception {
        TestClusters.setPassword(kafka, "alice", SECOND);
        kafka.broker(1).kill(); // or the connections that there are would go on
        kafka.broker(1).start();
        awaitThat(
                "told",
                () -> assertThat(canary.problems("alice"))
                        .contains("refuses the user name or password", "tried again ever more rarely"));
        long told = System.nanoTime();
        RunningCanary.await(
                "the clients are closed", () -> canary.log().contains("probes no longer complete the round trip"));
        // Each client that there was may have tried once more meanwhile.
        RunningCanary.await("30 s", () -> secondsSince(told) >= 30);
        long before = failures();
        long from = System.nanoTime();
        RunningCanary.await("another 30 s", () -> secondsSince(from) >= 30);
        assertThat(failures() - before).as("logins in 30 s").isLessThanOrEqualTo(2);
        assertThat(canary.log()).doesNotContain("NetworkClient");

        Scrape refused = canary.scrape();
        Files.writeString(password, SECOND);
        long fresh = System.nanoTime();
        canary.await(
                "probes come back",
                now -> now.probes("delivered", "cluster=alice") > refused.probes("delivered", "cluster=alice") + 20);
        assertThat(secondsSince(fresh)).isLessThan(40);
        canary.await(
                "pings have the right password, too",
                now -> now.sum("kafka_canary_broker_reachable", "cluster=alice", "broker=1") == 1);
        canary.awaitNoProblems("alice");
        assertThat(canary.scrape().sum("kafka_canary_duplicates_total", "cluster=alice"))
                .as("nothing is read twice")
                .isZero();
        assertThat(canary.scrape().conserved("leader=1")).isTrue();
    }

    @Test
    void rightsThatAreTakenAwayEndReadinessAndOnceTheyAreGivenBackProbesReturn() throws Exception {
        canary.awaitReady();
        Scrape before = canary.scrape();
        TestClusters.disallow(kafka, "alice", ResourceType.TOPIC, "phasewise-canary");
        awaitThat("not ready", () -> assertThat(canary.ready()).isFalse());
        awaitThat(
                "told which rights",
                () -> assertThat(canary.problems("alice"))
                        .contains("needs Describe, Read and Write on it: ", "phasewise-canary"));
        Scrape without = canary.scrape();
        canary.await(
                "probes go on to be scheduled, and none comes back",
                now -> now.since(without).sum("kafka_canary_probes_scheduled_total") > 20);
        assertThat(canary.scrape().since(without).probes("delivered")).isZero();
        assertThat(canary.ready()).isFalse();

        TestClusters.allow(kafka, "alice", ResourceType.TOPIC, "phasewise-canary", AclOperation.ALL);
        canary.awaitReady();
        canary.awaitNoProblems("alice");
        Scrape grown = canary.scrape().since(before);
        assertThat(grown.sum("kafka_canary_duplicates_total")).isZero();
        assertThat(canary.scrape().conserved("leader=1")).isTrue();
        assertThat(canary.log().lines().filter(line -> line.contains("needs Describe, Read and Write")))
                .as("logged once")
                .hasSize(1);
    }

    private static long secondsSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toSeconds();
    }

    private long failures() throws IOException {
        try (var lines = Files.lines(kafka.broker(1).log())) {
            return lines.filter(line -> line.contains(FAILED)).count();
        }
    }
}
