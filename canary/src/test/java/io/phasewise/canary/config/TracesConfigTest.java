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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collector:4318",
                "http://collector:4318",
                "http://collector:4318/",
                "grpc://collector:4317/v1/traces",
                "/v1/traces",
                "http://",
                "http://colle ctor/v1/traces"
            })
    void refusesAReceiverThatIsNoWholeUrl(String endpoint) {
        assertThat(faults("endpoint: '" + endpoint + "'"))
                .containsExactly(
                        "canary.traces.endpoint: \""
                                + endpoint
                                + "\" is not allowed; allowed: an http:// or https:// URL with its"
                                + " path, such as http://collector:4318/v1/traces, without user or"
                                + " query");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:hunter2@collector/v1/traces",
                "http://collector/v1/traces?key=hunter2"
            })
    void doesNotRepeatASecretInTheUrl(String endpoint) {
        assertThat(faults("endpoint: '" + endpoint + "'"))
                .singleElement()
                .asString()
                .startsWith("canary.traces.endpoint: its value is not allowed")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    sample-one-in: -1        | sample-one-in: -1 is out of range; allowed: 0 to 1000000000
                    max-waiting: 0           | max-waiting: 0 is out of range; allowed: 1 to 100000
                    timeout: 1h              | timeout: 1h is out of range; allowed: 100ms to 1m
                    headers: {'a b': hunter2}| headers.a b: has a name that no HTTP header can have
                    headers: {Host: hunter2} | headers.Host: cannot be set: the canary sets it
                    headers: {authorization: "hunter2\\nx: y"} | headers.authorization: has a value that is not allowed; allowed: visible ASCII characters, spaces and tabs, at most 8192
                    sample: 5                | sample: is not a known key; allowed here: endpoint, headers, headers-file, max-waiting, sample-one-in, timeout
                    """)
    void refusesWhatItCannotVouchFor(String yaml, String fault) {
        assertThat(faults(yaml)).containsExactly("canary.traces." + fault);
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
        return "canary: {traces: {" + traces + "}, clusters: {prod: {bootstrap-servers: 'b:1'}}}";
    }
}
