/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of headers, and what is secret; the other keys are ConfigLoaderTest's. */
class TracesConfigTest {

    @Test
    void aFileOfHeadersIsTakenOrRefusedAndNoValueOfAHeaderIsShown(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("h");
        String format = "traces: {endpoint: 'http://c/v1/traces', headers: {a: blue}, headers-file: '%s'}";
        String yaml = Configurations.beside(format.formatted(file));
        assertThat(Configurations.faults(yaml)).singleElement().asString().contains("no such file");

        Files.writeString(file, "a: b\nhunter2\n");
        assertThat(Configurations.faults(yaml))
                .containsExactly(
                        "canary.traces.headers-file: \"%s\" line 2 is not \"name: value\"; allowed: a file of \"name: value\" lines"
                                .formatted(file));

        Files.writeString(file, "authorization: Bearer hunter2\n");
        TracesConfig read = Configurations.load(yaml).config().traces().orElseThrow();
        assertThat(read.headersFile()).contains(file);
        assertThat(read.toString()).contains("headers=[a]").doesNotContain("blue", "hunter2");
    }
}
