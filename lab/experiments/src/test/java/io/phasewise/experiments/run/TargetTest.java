/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.experiments.cluster.MissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers of which something is not there. */
class TargetTest {
    @TempDir private Path root;

    private void start() throws Exception {
        Target.start(root, root.resolve("kafka"), builder -> builder).close();
    }

    @Test
    void withoutAnExporterToo() throws Exception {
        Files.createFile(
                Files.createDirectories(root.resolve("lab/kafka-4.4/target/lib"))
                        .resolve("kafka.jar"));

        assertThatThrownBy(this::start)
                .isInstanceOf(MissingException.class)
                .hasMessageContaining("no exporter, " + root)
                .hasMessageContaining("get it with: ./mvnw -pl exporter -am package");
    }
}
