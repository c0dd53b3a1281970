/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Runs the tests of a module that is written in Go. What they check is left to them. */
final class GoTests {
    private static final Duration DOWNLOAD_BOUND = Duration.ofMinutes(10);
    private static final int DOWNLOAD_TRIES = 3;
    private static final int KILLED = -1;

    private final Path module;
    private final Path output;

    /**
     * @param module its directory in the repository
     * @param directory where the tests' output goes
     */
    GoTests(String module, Path directory) {
        this.module = Path.of(System.getProperty("phasewise.root"), module);
        this.output = directory.resolve("go-test.out");
    }

    /**
     * Fails with their output when they fail or take longer than {@code limit}; aborts the calling
     * test, with a reason, where there is no Go.
     */
    void pass(Duration limit, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        assumeGo();
        download();
        // Not from Go's cache: it does not notice changes outside the module, such as in the rules.
        List<String> command = new ArrayList<>(List.of("go", "test", "-count=1"));
        Collections.addAll(command, arguments);
        int status = run(command, limit, environment);

        assertThat(status).as("go test ended within %s", limit).isNotEqualTo(KILLED);
        assertThat(status).as(Files.readString(output)).isZero();
    }

    /**
     * Gets what the tests need, which does not count as their time. A proxy that answers once with
     * an error is asked again; where it does so to the end, the tests say why they fail.
     */
    private void download() throws IOException, InterruptedException {
        // Less than "go mod download", which also gets what nothing here imports.
        List<String> command = List.of("go", "list", "-deps", "-test", "./...");
        for (int i = 0; i < DOWNLOAD_TRIES; i++) {
            int status = run(command, DOWNLOAD_BOUND, Map.of());
            if (status == 0 || status == KILLED) {
                return;
            }
        }
    }

    /** The exit code, or {@link #KILLED} where it took longer. */
    private int run(List<String> command, Duration limit, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(module.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
            return ended ? process.exitValue() : KILLED;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void assumeGo() {
        Assumptions.assumeTrue(
                Programs.find("go", System.getenv("PATH")).isPresent(),
                "no go on PATH (1.21 or newer)");
    }
}
