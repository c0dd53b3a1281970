/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.Jazzer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lets Jazzer search for a push that breaks its reader. */
@Tag("long")
class FuzzIT {

    private static final Duration SEARCH = Duration.ofSeconds(30);

    @Test
    void nothingBreaksIt(@TempDir Path directory) throws Exception {
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        for (Map.Entry<String, byte[]> seed : PushSeeds.all().entrySet()) {
            Files.write(corpus.resolve(seed.getKey()), seed.getValue());
        }

        String watched = "io.phasewise.**:io.opentelemetry.proto.**";
        Jazzer jazzer = new Jazzer(ClientPushFuzz.class, watched, directory);
        Jazzer.Result result = jazzer.search(corpus, SEARCH);

        assertThat(result.foundNothing()).as(String.join("\n", result.output())).isTrue();
        assertThat(result.figures()).as("it has searched").isNotEmpty();
    }
}
