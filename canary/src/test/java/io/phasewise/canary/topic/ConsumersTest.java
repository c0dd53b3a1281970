/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Contents of users' records are never read. Consumers are made in two places: for the probes of a
 * topic that is the canary's, and for the one look that says whether a topic of the default name
 * holds probes only. That the first is made for no other topic is held by TopicOwnershipIT.
 */
class ConsumersTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void areMadeWhereTheTopicIsKnownToBeTheCanarysAndNowhereElseInTheProduct() throws Exception {
        assertThat(Stream.of("canary", "exporter", "common", "common/kafka", "tools")
                        .flatMap(module -> sources(ROOT.resolve(module).resolve("src/main/java")).stream())
                        .filter(ConsumersTest::makesAConsumer)
                        .map(file -> file.getFileName().toString()))
                .containsExactlyInAnyOrder("TrafficClients.java", "ProfileRun.java");
    }

    private static List<Path> sources(Path of) {
        try (Stream<Path> files = Files.walk(of)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean makesAConsumer(Path file) {
        try {
            String text = Files.readString(file);
            return text.matches("(?s).*new Kafka(Share)?Consumer\\b.*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
