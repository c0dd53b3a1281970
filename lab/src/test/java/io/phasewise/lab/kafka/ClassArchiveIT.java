/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Brokers share the classes that a first one has loaded; every broker started after this test does.
 */
class ClassArchiveIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @TempDir Path directory;

    @Test
    void aBrokerTakesItsClassesFromTheArchive() throws Exception {
        Path javaHome = Path.of(System.getProperty("java.home"));
        ClassArchive.make(ROOT, KafkaVersion.V4_4, javaHome, directory.resolve("making"));

        Path loaded = directory.resolve("loaded.txt");
        try (KafkaCluster cluster =
                KafkaCluster.builder(ROOT, directory.resolve("using"))
                        .brokers(1)
                        .jvmOption("-Xlog:class+load:file=" + loaded)
                        .stopGrace(Duration.ZERO)
                        .build()) {
            cluster.start();
            assertThat(Files.readAllLines(loaded))
                    .anyMatch(line -> line.contains("kafka.server.BrokerServer source: shared"));
        }
    }
}
