/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.Jazzer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lets Jazzer search for a push that breaks its reader, for as long as it is given. */
class FuzzIT {

    @Test
    void nothingBreaksIt(@TempDir Path directory) throws Exception {
        String seconds = System.getProperty("phasewise.fuzz-seconds", "");
        if (seconds.isEmpty()) {
            String reason = "Skipped: -Dphasewise.fuzz-seconds=60 lets Jazzer search for a minute";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        for (Path seed : ClientPushFuzzTest.corpus()) {
            Files.copy(seed, corpus.resolve(seed.getFileName()));
        }

        Jazzer.Result result =
                new Jazzer(
                                ClientPushFuzz.class,
                                "io.phasewise.**:io.opentelemetry.proto.**",
                                directory)
                        .search(corpus, Duration.ofSeconds(Long.parseLong(seconds)));

        assertThat(result.foundNothing()).as(String.join("\n", result.output())).isTrue();
        result.figures().forEach(System.out::println);
    }
}
