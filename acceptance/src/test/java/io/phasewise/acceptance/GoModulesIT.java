/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the tests of what is written in Go, the dashboards and the generator of the rules, as part
 * of this build. What they check is left to them.
 */
class GoModulesIT {
    private static final int LIMIT_MINUTES = 10;

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"dashboards", "prometheus/generate"})
    void theTestsOfTheModulePass(String module) throws Exception {
        assumeGo();
        Path output = directory.resolve("go-test.out");
        // Not from Go's cache: it does not notice changes outside the module, such as in the rules.
        Process tests =
                new ProcessBuilder("go", "test", "-count=1", "./...")
                        .directory(Path.of(System.getProperty("phasewise.root"), module).toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean ended;
        try {
            ended = tests.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
        } finally {
            tests.descendants().forEach(ProcessHandle::destroyForcibly);
            tests.destroyForcibly();
        }

        assertThat(ended).as("go test ended within %s minutes", LIMIT_MINUTES).isTrue();
        assertThat(tests.exitValue()).as(Files.readString(output)).isZero();
    }

    private static void assumeGo() {
        boolean found =
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "go")));
        if (!found) {
            String reason =
                    "The tests of dashboards and rules are skipped: there is no go on PATH (Go 1.26"
                            + " or newer runs them)";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
    }
}
