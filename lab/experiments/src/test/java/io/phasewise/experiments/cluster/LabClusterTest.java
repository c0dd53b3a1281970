/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.process.MissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers of which something is not there. */
class LabClusterTest {
    @TempDir private Path root;

    private void start() throws Exception {
        LabCluster.start(root, root.resolve("kafka"), 3, 0, builder -> builder).close();
    }

    @Test
    void withoutKafka() throws Exception {
        Files.createFile(
                Files.createDirectories(root.resolve("exporter/target"))
                        .resolve("phasewise-exporter.jar"));

        assertThatThrownBy(this::start)
                .isInstanceOf(MissingException.class)
                .hasMessageContaining("no Kafka 4.4 in " + root)
                .hasMessageContaining("get it with: ./mvnw -pl lab/kafka-4.4 package");
    }
}
