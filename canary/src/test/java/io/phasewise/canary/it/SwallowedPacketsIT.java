/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two of three brokers advertise addresses that swallow packets, as behind a firewall. Kafka's admin
 * client connects to any broker, and waits for one that it has begun to connect to: the canary has
 * it give up early, so that it gets to the third one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SwallowedPacketsIT {
    /** Enough that some begin with both of the two, whatever the order is drawn by. */
    private static final int CLIENTS = 12;

    /** Two connections that are given up, with Kafka's jitter of a fifth; and a machine that is busy. */
    private static final Duration BOUND = Duration.ofSeconds(12);

    private final List<AutoCloseable> open = new ArrayList<>();
    private KafkaCluster kafka;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        kafka = TestClusters.own(directory, 3, "", ClusterBuilder::behindLinks);
        open.add(kafka);
        kafka.prepare();
        for (int broker : List.of(2, 3)) {
            TestClusters.advertise(directory, broker, "127.0.0.1:" + swallowing());
        }
        kafka.launch();
        kafka.awaitReady();
    }

    /** A port whose queue of connections is full: Linux answers no further one. */
    private int swallowing() throws IOException {
        ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        open.add(full);
        InetSocketAddress address = new InetSocketAddress(full.getInetAddress(), full.getLocalPort());
        for (int i = 0; i < 20; i++) {
            Socket socket = new Socket();
            open.add(socket);
            try {
                socket.connect(address, 500);
            } catch (SocketTimeoutException e) {
                return full.getLocalPort();
            }
        }
        throw new IOException("the queue does not become full");
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(open.toArray(AutoCloseable[]::new));
    }

    @Test
    void theAdminClientGetsToTheBrokerThatAnswersWithinABound() throws Exception {
        Map<String, Object> properties = RunningCanary.config(
                        "clusters: {it: {bootstrap-servers: '%s'}}".formatted(kafka.bootstrap()))
                .clusters()
                .get(0)
                .kafka()
                .adminProperties("it");
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Duration>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                all.add(threads.submit(() -> untilAnswered(properties)));
            }
            List<Duration> took = new ArrayList<>();
            for (Future<Duration> each : all) {
                took.add(each.get());
            }
            assertThat(took).allMatch(each -> each.compareTo(BOUND) < 0);
            assertThat(took)
                    .as("some began with one that swallows")
                    .anyMatch(each -> each.compareTo(Duration.ofSeconds(1)) > 0);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The server in the configuration says which brokers there are; one of these is asked then. */
    private static Duration untilAnswered(Map<String, Object> properties) throws Exception {
        try (Admin admin = Admin.create(properties)) {
            long from = System.nanoTime();
            while (Duration.ofNanos(System.nanoTime() - from).toSeconds() < 120) {
                try {
                    admin.describeCluster().nodes().get();
                    break;
                } catch (ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(TimeoutException.class);
                }
            }
            return Duration.ofNanos(System.nanoTime() - from);
        }
    }
}
