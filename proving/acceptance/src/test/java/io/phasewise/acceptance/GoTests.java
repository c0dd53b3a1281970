/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Runs the tests of a Go module. */
final class GoTests {
    private static final Duration DOWNLOAD_BOUND = Duration.ofMinutes(10);
    private static final int DOWNLOAD_TRIES = 3;

    private GoTests() {}

    /**
     * Fails with their output when they fail or take longer than {@code limit}. Aborts the calling
     * test, with a reason, when there is no Go.
     *
     * @param module its directory in the repository
     */
    static void pass(String module, Duration limit, Map<String, String> environment, Object... arguments) {
        Command.assumeOnPath("go");
        Path directory = Repository.path(module);
        download(directory);
        // Without Go's cache of results, which does not notice changes outside the module, for
        // instance of the rules.
        Command.of("go", "test", "-count=1")
                .and(arguments)
                .in(directory)
                .with(environment)
                .output(limit);
    }

    /**
     * Downloads what the tests need, which does not count as their time. Tries again when a proxy
     * answers with an error; if it always does, the tests say why they fail.
     */
    private static void download(Path module) {
        // "go mod download" would also get what nothing here imports.
        Command command = Command.of("go", "list", "-deps", "-test", "./...").in(module);
        int tries = 1;
        while (command.run(DOWNLOAD_BOUND).exitCode() != 0 && tries < DOWNLOAD_TRIES) {
            tries++;
        }
    }
}
