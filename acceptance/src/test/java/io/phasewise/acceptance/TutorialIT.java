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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tutorial as a reader does: every block marked {@code sh run}, as it stands, in order, in
 * one shell, in a directory that has nothing but the launcher. What the page promises of its output
 * the page's own commands check.
 */
@Tag("long")
class TutorialIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh run\\n(.*?)^```$");

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void everyBlockOfTheFirstLookRunsAsItStands(@TempDir Path directory)
            throws IOException, InterruptedException {
        Files.createSymbolicLink(directory.resolve("phasewise"), ROOT.resolve("phasewise"));
        List<String> blocks = blocks(ROOT.resolve("docs/tutorial/first-look.md"));
        assertThat(blocks).hasSizeGreaterThan(5);
        Path output = ROOT.resolve("acceptance/target/tutorial.log");

        int status = run(directory, output, "set -ex\n" + String.join("", blocks));

        try {
            assertThat(status).as(Files.readString(output)).isZero();
        } finally {
            run(directory, output.resolveSibling("tutorial-end.log"), "./phasewise down --purge");
        }
    }

    private static List<String> blocks(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    private static int run(Path directory, Path output, String script)
            throws IOException, InterruptedException {
        return new ProcessBuilder("bash", "-c", script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
    }
}
