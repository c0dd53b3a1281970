/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The canary accepts every configuration that the documents show: whole ones as they stand, and the
 * properties of clients as those of a cluster.
 */
class DocumentedConfigurationTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```yaml\\n(.*?)^ *```");
    private static final Pattern COMMENTS = Pattern.compile("(?m)\\A(?:#.*\\n)+");

    /** What {@code ${...}} in the blocks refers to. */
    private static final Map<String, String> VARIABLES =
            Map.of("KAFKA_PASSWORD", "x", "API_KEY", "x", "API_SECRET", "x", "TRACES_TOKEN", "x");

    @Test
    void everyConfigurationIsSound() throws IOException {
        ConfigLoader loader = new ConfigLoader(VARIABLES);
        List<String> refused = new ArrayList<>();
        int checked = 0;
        for (Path page : pages()) {
            for (MatchResult block :
                    BLOCK.matcher(Files.readString(page)).results().toList()) {
                String configuration = whole(block.group(1).stripIndent());
                if (configuration == null) {
                    continue;
                }
                checked++;
                try {
                    loader.load(configuration, page.toString());
                } catch (InvalidConfigException faulty) {
                    refused.add(page + ":\n" + configuration + faulty.getMessage());
                }
            }
        }

        assertThat(checked).isGreaterThan(7);
        assertThat(refused).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(files, Stream.of(ROOT.resolve("README.md")))
                    .filter(file -> file.toString().endsWith(".md"))
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
            return "canary:\n  clusters:\n    any:\n      bootstrap-servers: \"kafka:9092\"\n" + bare.indent(6);
        }
        return bare.startsWith("canary:\n") && bare.contains("bootstrap-servers:") ? bare : null;
    }
}
