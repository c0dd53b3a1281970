/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs pages as a reader does: every block marked {@code sh run}, as it stands, in order, in one
 * shell, in a directory that has nothing but the launcher, the jars and a configuration for each.
 * What a page promises of the output its own commands check.
 */
@Tag("long")
class CommandBlocksIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```sh run\\n(.*?)^ *```$");

    @ParameterizedTest
    @CsvSource({"tutorial/first-look.md, 7", "how-to/local-stack.md, 1", "how-to/upgrade.md, 1"})
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void everyBlockRunsAsItStands(String page, int count, @TempDir Path directory)
            throws IOException, InterruptedException {
        List<String> blocks =
                BLOCK.matcher(Files.readString(ROOT.resolve("docs").resolve(page)))
                        .results()
                        .map((MatchResult block) -> block.group(2).stripIndent())
                        .toList();
        assertThat(blocks).hasSize(count);
        prepare(directory);
        Path output = ROOT.resolve("acceptance/target/commands.log");

        int status = run(directory, output, "set -ex\n" + String.join("", blocks));

        try {
            assertThat(status).as(Files.readString(output)).isZero();
        } finally {
            run(directory, output.resolveSibling("ended.log"), "./phasewise down --purge");
        }
    }

    private static void prepare(Path directory) throws IOException {
        Files.createSymbolicLink(directory.resolve("phasewise"), ROOT.resolve("phasewise"));
        for (String program : List.of("canary", "exporter")) {
            String jar = "phasewise-" + program + ".jar";
            Files.createSymbolicLink(
                    directory.resolve(jar), ROOT.resolve(program + "/target").resolve(jar));
            String configuration = program + ".yml";
            Files.copy(
                    ROOT.resolve(program + "/config").resolve(configuration),
                    directory.resolve(configuration));
        }
    }

    private static int run(Path directory, Path output, String script)
            throws IOException, InterruptedException {
        ProcessBuilder shell =
                new ProcessBuilder("bash", "-c", script)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        // Beside a stack that somebody keeps; and the build that runs this test has built
        // everything.
        shell.environment().put("PHASEWISE_STATE_DIR", directory.resolve(".phasewise").toString());
        shell.environment().put("PHASEWISE_NO_BUILD", "1");
        return shell.start().waitFor();
    }
}
