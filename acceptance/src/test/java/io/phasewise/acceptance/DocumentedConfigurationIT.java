/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The canary accepts every configuration that the documents show: whole ones as they stand, and the
 * properties of clients as those of a cluster.
 */
class DocumentedConfigurationIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Path JAR = ROOT.resolve("canary/target/phasewise-canary.jar");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```yaml\\n(.*?)^ *```");
    private static final Pattern COMMENTS = Pattern.compile("(?m)\\A(?:#.*\\n)+");

    /** What {@code ${...}} in the blocks refers to. */
    private static final Map<String, String> VARIABLES =
            Map.of("CANARY_PASSWORD", "x", "API_KEY", "x", "API_SECRET", "x", "TRACES_TOKEN", "x");

    @Test
    void everyConfigurationIsSound(@TempDir Path directory) throws Exception {
        List<String> refused = new ArrayList<>();
        int checked = 0;
        for (Path page : pages()) {
            Matcher block = BLOCK.matcher(Files.readString(page));
            while (block.find()) {
                String configuration = whole(block.group(1).stripIndent());
                if (configuration == null) {
                    continue;
                }
                checked++;
                Path file = Files.writeString(directory.resolve("canary.yml"), configuration);
                String fault = check(file);
                if (!fault.isEmpty()) {
                    refused.add(ROOT.relativize(page) + ":\n" + configuration + fault);
                }
            }
        }

        assertThat(checked).isGreaterThan(8);
        assertThat(refused).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .toList();
        }
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

    private static String check(Path file) throws IOException, InterruptedException {
        ProcessBuilder command =
                new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        JAR.toString(),
                        "--check-config",
                        file.toString());
        command.environment().putAll(VARIABLES);
        Process canary = command.redirectErrorStream(true).start();
        String output = new String(canary.getInputStream().readAllBytes());
        return canary.waitFor() == 0 ? "" : output;
    }
}
