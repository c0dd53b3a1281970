/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialFilesTest {
    @TempDir
    private Path directory;

    @Test
    void knowsStoresTokensAndWhatKafkasProvidersRead() {
        CredentialFiles files = of(
                Map.of(
                        "fetch.min.bytes",
                        "1",
                        "ssl.truststore.location",
                        "/a/ca.pem",
                        "sasl.oauthbearer.assertion.file",
                        "/a/assertion",
                        "sasl.jaas.config",
                        "x password=\"${dir:/secrets:password}\" y=\"${file:/s.properties:y}\";"),
                Map.of("ssl.keystore.location", "/a/producer.pem"));

        assertThat(files.fingerprint())
                .containsOnlyKeys(
                        Path.of("/a/ca.pem"),
                        Path.of("/a/assertion"),
                        Path.of("/a/producer.pem"),
                        Path.of("/secrets/password"),
                        Path.of("/s.properties"));
    }

    @Test
    void onlyAnotherContentIsAChangeAndNothingOfASecretIsKept() throws IOException {
        Path store = Files.writeString(directory.resolve("user.pem"), "hunter2");
        CredentialFiles files = of(store);
        Map<Path, String> before = files.fingerprint();
        assertThat(before.toString()).doesNotContain("hunter2");
        Files.writeString(store, "hunter2");
        assertThat(CredentialFiles.changed(before, files.fingerprint())).isEmpty();
        Files.writeString(store, "two");
        assertThat(CredentialFiles.changed(before, files.fingerprint())).containsExactly(store);
    }

    /** As Kubernetes changes a Secret: all files at once, by another target of a link. */
    @Test
    void aLinkThatLeadsElsewhereIsAChange() throws IOException {
        Files.createDirectories(directory.resolve("first"));
        Files.createDirectories(directory.resolve("second"));
        Files.writeString(directory.resolve("first/user.pem"), "one");
        Files.writeString(directory.resolve("second/user.pem"), "two");
        Path data = Files.createSymbolicLink(directory.resolve("data"), Path.of("first"));
        CredentialFiles files = of(data.resolve("user.pem"));
        Map<Path, String> before = files.fingerprint();

        Files.delete(data);
        assertThat(CredentialFiles.changed(before, files.fingerprint())).hasSize(1);
        Files.createSymbolicLink(data, Path.of("second"));
        assertThat(CredentialFiles.changed(before, files.fingerprint())).hasSize(1);
    }

    private static CredentialFiles of(Path keyStore) {
        return of(Map.of("ssl.keystore.location", keyStore.toString()), Map.of());
    }

    private static CredentialFiles of(Map<String, String> client, Map<String, String> producer) {
        return CredentialFiles.of(List.of(new KafkaConfig("b:1", client, producer, Map.of(), Map.of())));
    }
}
