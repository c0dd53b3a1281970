/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code ./phasewise report}, run to its end.
 *
 * @param status the exit code
 * @param output both streams
 * @param out where the files of the report are
 */
record Launched(int status, String output, Path out) {

    static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    private static final int PATIENCE_SECONDS = 120;

    /** Runs it on a server. */
    static Launched report(Path out, URI server, Instant from, Instant to, String... more)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ROOT.resolve("phasewise").toString(),
                                "report",
                                "--prometheus=" + server,
                                "--from=" + from,
                                "--to=" + to,
                                "--out=" + out));
        Collections.addAll(command, more);
        Path output = Files.createTempFile("report", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            // Maven has just built it; a second build inside its run would race with it.
            builder.environment().put("PHASEWISE_NO_BUILD", "1");
            Process process =
                    builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running:\n" + Files.readString(output));
            }
            return new Launched(process.exitValue(), Files.readString(output), out);
        } finally {
            Files.delete(output);
        }
    }

    /** What it wrote as JSON; it must have succeeded. */
    JsonNode review() throws IOException {
        assertThat(status).as(output).isZero();
        return new ObjectMapper().readTree(out.resolve("report.json").toFile());
    }

    /** It said all this and left no new report. */
    void assertRefused(String... parts) {
        assertThat(status).as(output).isEqualTo(2);
        assertThat(output)
                .contains(parts)
                .contains("No report was written")
                .doesNotContain("Exception");
        assertThat(out.resolve(".report.html.part")).doesNotExist();
    }
}
