/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.Jazzer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets Jazzer search for input that breaks a parser, for as long as it is given; what may not
 * happen is said by the fuzz targets.
 */
class FuzzIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @ParameterizedTest
    @ValueSource(classes = {ProbeRecordFuzz.class, ConfigurationFuzz.class})
    void nothingBreaksIt(Class<?> target, @TempDir Path directory) throws Exception {
        String seconds = System.getProperty("phasewise.fuzz-seconds", "");
        if (seconds.isEmpty()) {
            String reason =
                    "Skipped: -Dphasewise.fuzz-seconds=60 lets Jazzer search for a minute each";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        if (target == ConfigurationFuzz.class) {
            for (String seed : List.of("canary/config/canary.yml", "deploy/canary/canary.yml")) {
                Path file = ROOT.resolve(seed);
                Files.copy(file, corpus.resolve(Integer.toHexString(seed.hashCode())));
            }
        }
        Jazzer.Result result =
                new Jazzer(target, "io.phasewise.**", directory)
                        .search(corpus, Duration.ofSeconds(Long.parseLong(seconds)));

        assertThat(result.foundNothing()).as(String.join("\n", result.output())).isTrue();
        result.figures().forEach(System.out::println);
    }
}
