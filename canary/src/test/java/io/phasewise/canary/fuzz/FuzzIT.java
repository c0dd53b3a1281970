/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.Jazzer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets Jazzer search for input that breaks a parser, half a minute for each; what may not happen is
 * said by the fuzz targets. What they start from is tried in every build by {@link
 * FuzzTargetsTest}.
 */
@Tag("long")
class FuzzIT {
    private static final Duration EACH = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(classes = {ProbeRecordFuzz.class, ConfigurationFuzz.class})
    void nothingBreaksIt(Class<?> target, @TempDir Path directory) throws Exception {
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        int number = 0;
        for (byte[] seed : FuzzTargetsTest.seeds(target)) {
            Files.write(corpus.resolve("seed-" + number++), seed);
        }

        Jazzer.Result result = new Jazzer(target, "io.phasewise.**", directory).search(corpus, EACH);

        assertThat(result.foundNothing()).as(String.join("\n", result.output())).isTrue();
        assertThat(result.figures()).as("it has run").isNotEmpty();
    }
}
