/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracesConfigTest {
    private static final String RECEIVER = "endpoint: 'http://collector:4318/v1/traces'";

    @TempDir private Path directory;

    @Test
    void thereAreNoneUnlessAReceiverIsGiven() throws Exception {
        assertThat(load("sample-one-in: 5", Map.of()).traces()).isEmpty();
        assertThat(load("", Map.of()).traces()).isEmpty();
    }

    @Test
    void theReceiverAloneWillDo() throws Exception {
        assertThat(load(RECEIVER, Map.of()).traces())
                .contains(
                        new TracesConfig(
                                URI.create("http://collector:4318/v1/traces"),
                                Map.of(),
                                Optional.empty(),
                                1000,
                                Duration.ofSeconds(10),
                                2000));
    }

    @Test
    void everyKeyIsRead() throws Exception {
        Path file = Files.writeString(directory.resolve("h"), "authorization: Bearer hunter2\n");
        TracesConfig read =
                load(
                                RECEIVER
                                        + ", headers: {X-Scope-OrgID: '${TENANT}'}, headers-file: '"
                                        + file
                                        + "', sample-one-in: 0, timeout: 3s, max-waiting: 7",
                                Map.of("TENANT", "blue"))
                        .traces()
                        .orElseThrow();

        assertThat(read)
                .isEqualTo(
                        new TracesConfig(
                                URI.create("http://collector:4318/v1/traces"),
                                Map.of("X-Scope-OrgID", "blue"),
                                Optional.of(file),
                                0,
                                Duration.ofSeconds(3),
                                7));
        assertThat(read.toString()).contains("X-Scope-OrgID").doesNotContain("blue", "hunter2");
    }

    @Test
    void theEnvironmentAloneWillDo() throws Exception {
        assertThat(
                        load("", Map.of("CANARY_TRACES_ENDPOINT", "https://otlp.example/v1/traces"))
                                .traces()
                                .map(TracesConfig::endpoint))
                .contains(URI.create("https://otlp.example/v1/traces"));
    }

    @Test
    void refusesAFileOfHeadersThatIsMissingOrSomethingElse() throws Exception {
        Path file = Files.writeString(directory.resolve("h"), "a: b\nhunter2\n");

        assertThat(faults("headers-file: '" + file + "'"))
                .containsExactly(
                        "canary.traces.headers-file: \""
                                + file
                                + "\" line 2 is not \"name: value\"; allowed: a file of \"name:"
                                + " value\" lines");
        assertThat(faults("headers-file: '" + directory.resolve("none") + "'"))
                .singleElement()
                .asString()
                .contains("there is no such file");
    }

    private static CanaryConfig load(String traces, Map<String, String> environment)
            throws InvalidConfigException {
        return Configurations.load(environment, yaml(traces)).config();
    }

    private static List<String> faults(String traces) {
        return Configurations.faults(yaml(traces));
    }

    private static String yaml(String traces) {
        return Configurations.beside("traces: {" + traces + "}");
    }
}
