/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs pages as a reader does: every block marked {@code sh run}, as it stands, in order, in one
 * shell, in a directory with only the launcher, the jars and a configuration for each. The commands
 * of a page check their output themselves.
 */
@Tag("long")
class CommandBlocksIT {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```sh run\\n(.*?)^ *```$");
    private static final Duration BOUND = Duration.ofMinutes(20);

    @ParameterizedTest
    @CsvSource({
        "tutorial/first-look.md, 8",
        "how-to/local-stack.md, 1",
        "how-to/mirror-an-application.md, 1",
        "how-to/upgrade.md, 1"
    })
    void everyBlockRunsAsItStands(String page, int count, @TempDir Path directory) throws Exception {
        List<String> blocks = BLOCK.matcher(Repository.text("docs/" + page))
                .results()
                .map(block -> block.group(2).stripIndent())
                .toList();
        assertThat(blocks).hasSize(count);
        prepare(directory);

        try {
            Command.Result all = run(directory, "set -ex\n" + String.join("", blocks));
            Files.writeString(Repository.path("proving/acceptance/target/commands.log"), all.output());
            assertThat(all.exitCode()).as(all.output()).isZero();
        } finally {
            run(directory, "./phasewise down --purge");
        }
    }

    private static void prepare(Path directory) throws IOException {
        Files.createSymbolicLink(directory.resolve("phasewise"), Repository.path("phasewise"));
        for (String program : List.of("canary", "exporter")) {
            String jar = "phasewise-" + program + ".jar";
            Files.createSymbolicLink(directory.resolve(jar), Repository.path(program + "/target/" + jar));
            Files.copy(Repository.path(program + "/config/" + program + ".yml"), directory.resolve(program + ".yml"));
        }
    }

    /**
     * On other ports than a stack that may be running, and without a build, as Maven has just built
     * everything.
     */
    private static Command.Result run(Path directory, String script) {
        return Command.of("bash", "-c", script)
                .in(directory)
                .with("PHASEWISE_STATE_DIR", directory.resolve(".phasewise").toString())
                .with("PHASEWISE_NO_BUILD", "1")
                .run(BOUND);
    }
}
