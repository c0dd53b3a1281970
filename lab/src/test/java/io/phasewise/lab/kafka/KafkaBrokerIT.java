/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One broker, for which an archive of its classes was made: how it starts and how it ends. */
class KafkaBrokerIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @TempDir private static Path directory;

    private static Path loaded;
    private static KafkaCluster cluster;

    @BeforeAll
    static void makeTheArchive() throws Exception {
        loaded = directory.resolve("loaded.txt");
        ClassArchive.make(
                ROOT,
                KafkaVersion.V4_4,
                Path.of(System.getProperty("java.home")),
                directory.resolve("making"));
        cluster =
                KafkaCluster.builder(ROOT, directory.resolve("using"))
                        .shortLived()
                        .brokers(1)
                        .jvmOption("-Xlog:class+load:file=" + loaded)
                        .stopGrace(Duration.ZERO)
                        .build();
        cluster.start();
    }

    @BeforeEach
    void itRuns() throws InterruptedException {
        cluster.broker(1).start();
    }

    @AfterAll
    static void close() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void takesItsClassesFromTheArchive() throws Exception {
        assertThat(Files.readAllLines(loaded))
                .anyMatch(line -> line.contains("kafka.server.BrokerServer source: shared"));
    }

    @Test
    void isKilledWhenItsShutdownIsInterrupted() {
        KafkaBroker broker = cluster.broker(1);
        Thread.currentThread().interrupt();

        assertThatThrownBy(broker::stop).isInstanceOf(InterruptedException.class);

        assertThat(broker.isAlive()).isFalse();
    }
}
