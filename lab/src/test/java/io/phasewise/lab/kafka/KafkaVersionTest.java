/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.cli.MissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which lines can be run and where their jars are. */
class KafkaVersionTest {

    @TempDir
    Path root;

    @Test
    void theClassPathIsTheJarsInAFixedOrder() throws Exception {
        Path lib = Files.createDirectories(root.resolve("lab/kafka-4.4/target/lib"));
        Files.createFile(lib.resolve("b.jar"));
        Files.createFile(lib.resolve("a.jar"));
        Files.createFile(lib.resolve("readme.txt"));
        assertThat(KafkaVersion.V4_4.classPath(root)).containsExactly(lib.resolve("a.jar"), lib.resolve("b.jar"));
    }

    @Test
    void withoutJarsItSaysHowToGetThem() {
        assertThatThrownBy(() -> KafkaVersion.V3_9.classPath(root))
                .isInstanceOf(MissingException.class)
                .hasMessageContaining("no Kafka 3.9 in")
                .hasMessageEndingWith("get it with: ./mvnw -pl lab/kafka-3.9 package");
    }
}
