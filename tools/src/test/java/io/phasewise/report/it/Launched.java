/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * {@code ./phasewise report}, run to its end.
 *
 * @param status the exit code; -1 when it did not end
 * @param output both streams
 * @param out where the files of the report are
 */
record Launched(int status, String output, Path out) {

    static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /**
     * Runs it on a server.
     *
     * @param what the option that says which cluster, or clusters
     */
    static Launched report(Path out, URI server, String what, Instant from, Instant to, String... more)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(ROOT.resolve("phasewise").toString(), "report"));
        command.addAll(List.of("--prometheus=" + server, "--from=" + from, "--to=" + to));
        command.addAll(List.of(what, "--out=" + out));
        Collections.addAll(command, more);
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        // Maven has just built it; a second build inside its run would race with it.
        Map<String, String> environment = Map.of("PHASEWISE_NO_BUILD", "1");
        int status = CommandOutput.stream(command, null, environment, PATIENCE, lines::add);
        return new Launched(status, String.join("\n", lines), out);
    }

    /** What it wrote as JSON; it must have succeeded. */
    JsonNode review() throws IOException {
        assertThat(status).as(output).isZero();
        return new ObjectMapper().readTree(out.resolve("report.json").toFile());
    }

    /** What was asked for is not there; it said all this and left no new report. */
    void assertRefused(String... parts) {
        assertEnded(2, parts);
    }

    /** The server cannot be read; it said all this and left no new report. */
    void assertFailed(String... parts) {
        assertEnded(1, parts);
    }

    private void assertEnded(int expected, String... parts) {
        assertThat(status).as(output).isEqualTo(expected);
        assertThat(output).contains(parts).contains("No report was written").doesNotContain("Exception");
        assertThat(out.resolve(".report.html.part")).doesNotExist();
    }
}
