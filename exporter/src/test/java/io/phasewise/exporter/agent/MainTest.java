/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.CommandReference;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);

        int status = new Main(InputStream.nullInputStream(), stream, stream).run("--help");

        assertThat(status).isZero();
        CommandReference.holds("phasewise-exporter", out.toString(StandardCharsets.UTF_8));
    }
}
