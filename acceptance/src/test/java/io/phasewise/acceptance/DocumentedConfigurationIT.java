/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The canary accepts every configuration that the documents show: whole ones as they stand, and the
 * properties of clients as those of a cluster.
 */
class DocumentedConfigurationIT {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```yaml\\n(.*?)^ *```");
    private static final Pattern COMMENTS = Pattern.compile("(?m)\\A(?:#.*\\n)+");

    /** What {@code ${...}} in the blocks refers to. */
    private static final Map<String, String> VARIABLES =
            Map.of("CANARY_PASSWORD", "x", "API_KEY", "x", "API_SECRET", "x", "TRACES_TOKEN", "x");

    @Test
    void everyConfigurationIsSound(@TempDir Path directory) throws Exception {
        List<Path> pages = new ArrayList<>(Repository.files("docs", ".md"));
        pages.add(Repository.path("README.md"));
        List<String> refused = new ArrayList<>();
        int checked = 0;
        for (Path page : pages) {
            for (MatchResult block : BLOCK.matcher(Repository.text(page)).results().toList()) {
                String configuration = whole(block.group(1).stripIndent());
                if (configuration == null) {
                    continue;
                }
                checked++;
                Command.Result check =
                        check(Files.writeString(directory.resolve("canary.yml"), configuration));
                if (check.exitCode() != 0) {
                    refused.add(Repository.name(page) + ":\n" + configuration + check.output());
                }
            }
        }

        assertThat(checked).isGreaterThan(8);
        assertThat(refused).isEmpty();
    }

    /** A configuration that can be checked; null for a block that is a part of one, or none. */
    private static String whole(String block) {
        String bare = COMMENTS.matcher(block).replaceFirst("");
        if (bare.contains("software.amazon.")) {
            // Needs a library that is not in the jar; Kafka's clients look for its classes.
            return null;
        }
        if (bare.startsWith("client:\n")) {
            return "canary:\n  clusters:\n    any:\n      bootstrap-servers: \"kafka:9092\"\n"
                    + bare.indent(6);
        }
        return bare.startsWith("canary:\n") && bare.contains("bootstrap-servers:") ? bare : null;
    }

    private static Command.Result check(Path file) {
        return Command.of(ProcessHandle.current().info().command().orElseThrow())
                .and("-XX:TieredStopAtLevel=1", "-jar")
                .and(Repository.path("canary/target/phasewise-canary.jar"))
                .and("--check-config", file)
                .with(VARIABLES)
                .run(Duration.ofMinutes(1));
    }
}
