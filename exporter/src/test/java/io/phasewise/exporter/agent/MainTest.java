/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.auth.PasswordHash;
import io.phasewise.lab.junit.CommandReference;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int run(String typed, String... arguments) throws IOException {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        ByteArrayInputStream in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
        return new Main(in, out, out).run(arguments);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        assertThat(run("", "--help")).isZero();

        CommandReference.holds("phasewise-exporter", printed());
    }

    @Test
    void otherArgumentsAreRefusedWithTheUsage() throws IOException {
        assertThat(run("", "--check-config")).isEqualTo(2);

        assertThat(printed()).startsWith("Usage: ");
    }

    @Test
    void checksAConfigurationAheadOfTime() throws IOException {
        String file = directory.resolve("exporter.yml").toString();
        Files.writeString(Path.of(file), "topics:\n  top: x\n  tpo: 1\n");
        assertThat(run("", "--check-config", file)).isEqualTo(2);
        assertThat(printed().lines()).hasSize(2);

        Files.writeString(Path.of(file), "topics:\n  top: 5\n");
        assertThat(run("", "--check-config", file)).isZero();
    }

    @Test
    void hashesAPasswordThatIsTyped() throws IOException {
        assertThat(run("", "--hash-password")).isEqualTo(2);
        printed.reset();

        assertThat(run("right\n", "--hash-password")).isZero();

        BasicAuth auth = BasicAuth.withHash("me", PasswordHash.parse(printed().strip()));
        assertThat(auth.check("here", "me", "right")).isEqualTo(BasicAuth.Verdict.ACCEPTED);
    }
}
