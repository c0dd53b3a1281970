/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of headers, and what is secret; the other keys are ConfigLoaderTest's. */
class TracesConfigTest {
    private Path file;

    @BeforeEach
    void place(@TempDir Path directory) {
        file = directory.resolve("h");
    }

    private String yaml() {
        String format =
                "traces: {endpoint: 'http://c/v1/traces', headers: {a: blue}, headers-file: '%s'}";
        return Configurations.beside(format.formatted(file));
    }

    @Test
    void aFileOfHeadersIsTakenAndNoValueOfAHeaderIsShown() throws Exception {
        Files.writeString(file, "authorization: Bearer hunter2\n");

        TracesConfig read = Configurations.load(yaml()).config().traces().orElseThrow();
        assertThat(read.headersFile()).contains(file);
        assertThat(read.toString()).contains("headers=[a]").doesNotContain("blue", "hunter2");
    }

    @Test
    void refusesAFileOfHeadersThatIsMissingOrSomethingElse() throws Exception {
        assertThat(Configurations.faults(yaml()))
                .singleElement()
                .asString()
                .contains("there is no such file");

        Files.writeString(file, "a: b\nhunter2\n");
        assertThat(Configurations.faults(yaml()))
                .containsExactly(
                        "canary.traces.headers-file: \"%s\" line 2 is not \"name: value\"; allowed: a file of \"name: value\" lines"
                                .formatted(file));
    }
}
