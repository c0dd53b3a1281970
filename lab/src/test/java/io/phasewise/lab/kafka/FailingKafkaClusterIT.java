/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.AwaitException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters that cannot start: they say why, soon, and leave nothing behind. */
class FailingKafkaClusterIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @TempDir
    Path directory;

    @Test
    void aTakenPortFailsTheStartWithWhatTheBrokerSaid() throws Exception {
        try (PortLease lease = PortLease.take(2);
                ServerSocket occupied = new ServerSocket(lease.port(0), 1, InetAddress.getLoopbackAddress());
                KafkaCluster cluster = KafkaCluster.builder(ROOT, directory)
                        .brokers(1)
                        .ports(id -> new BrokerPorts(lease.port(0), lease.port(1)))
                        .build()) {
            long start = System.nanoTime();
            assertThatThrownBy(cluster::start)
                    .isInstanceOf(AwaitException.class)
                    .hasMessageContaining("broker-1")
                    .hasMessageContaining("ended with status 1")
                    .hasMessageContaining("Address already in use");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
            assertThat(cluster.broker(1).isAlive()).isFalse();
            assertThat(occupied.isBound()).isTrue();
        }
    }

    @Test
    void aSettingThatKafkaRefusesFailsTheFormatWithItsReason() {
        try (KafkaCluster cluster = KafkaCluster.builder(ROOT, directory)
                .brokers(1)
                .brokerProperty("num.io.threads", "none")
                .build()) {
            assertThatThrownBy(cluster::start)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasCauseInstanceOf(IOException.class)
                    .hasMessageContaining("cannot format storage")
                    .hasMessageContaining("num.io.threads");
        }
    }

    @Test
    void anInterruptionWhileStorageIsFormattedIsKept() {
        try (KafkaCluster cluster =
                KafkaCluster.builder(ROOT, directory).brokers(1).build()) {
            Thread.currentThread().interrupt();

            cluster.prepare();

            assertThat(Thread.interrupted()).isTrue();
            assertThat(cluster.broker(1).dataDirectory().resolve("meta.properties"))
                    .exists();
        }
    }
}
