/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ComposeSecretsTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    static Path directory;

    private Path secrets;

    @BeforeAll
    void make() throws IOException {
        secrets = directory.resolve("secured");
        new ComposeSecrets(() -> NOW).write(secrets);
    }

    @Test
    void eachContainerHasACertificateOfItsOwnByTheOneAuthority() throws Exception {
        X509Certificate authority = certificate(secrets.resolve("ca.pem"));
        for (Path container : containers()) {
            String name = container.getFileName().toString();
            X509Certificate own = certificate(container.resolve("server.pem"));
            own.verify(authority.getPublicKey());
            assertThat(own.getSubjectX500Principal().getName()).isEqualTo("CN=" + name);
            assertThat(own.getSubjectAlternativeNames().toString())
                    .contains("[2, " + name + "]", "[2, localhost]", "[7, 127.0.0.1]");
            assertThat(own.getNotAfter().toInstant()).isEqualTo(NOW.plus(397, ChronoUnit.DAYS));
            assertThat(container.resolve("ca.pem")).hasSameTextualContentAs(secrets.resolve("ca.pem"));
        }
    }

    /** What is named of them in the containers' configuration is held against the same list. */
    @Test
    void theFilesAreThoseThatTheContainersAreTestedAgainst() throws IOException {
        try (Stream<Path> all = Files.walk(secrets)) {
            assertThat(all.filter(Files::isRegularFile)
                            .map(file -> secrets.relativize(file).toString())
                            .sorted())
                    .containsExactlyElementsOf(Files.readAllLines(Path.of("../deploy/docker/secured-files.txt")));
        }
    }

    @Test
    void theirUsersCanReadThemAndNobodyElseGetsThatFar() throws IOException {
        assertThat(permissions(secrets)).isEqualTo("rwx------");
        assertThat(permissions(secrets.resolve("logins.txt"))).isEqualTo("rw-------");
        assertThat(permissions(secrets.resolve("admin.properties"))).isEqualTo("rw-------");
        for (Path container : containers()) {
            assertThat(permissions(container)).isEqualTo("rwxr-xr-x");
            try (Stream<Path> files = Files.list(container)) {
                assertThat(files).allSatisfy(f -> assertThat(permissions(f)).isEqualTo("rw-r--r--"));
            }
        }
    }

    @Test
    void whatPrometheusAsksWithIsWhatIsAskedFor() throws IOException {
        for (String server : List.of("prometheus", "alertmanager", "node-exporter")) {
            assertThat(opens("prometheus/password", server, "prometheus"))
                    .as(server)
                    .isTrue();
        }
        assertThat(text("canary/exporter-password")).isEqualTo(text("prometheus/exporter-password"));
        assertThat(text("canary/http-password")).isEqualTo(text("prometheus/canary-password"));
        assertThat(text("alertmanager/receiver.url")).contains(":" + text("receiver/password") + "@");
    }

    @Test
    void brokersAreToldTheCanarysPasswordInTheFormOfKafkasTool() throws IOException {
        String password = text("canary/kafka-password");

        assertThat(text("setup/canary.scram").strip()).isEqualTo("SCRAM-SHA-512=iterations=8192,password=" + password);
    }

    @Test
    void noPasswordServesTwoPurposesAndTheAuthoritysKeyIsNowhere() throws IOException {
        List<String> passwords = new ArrayList<>();
        for (String file : Files.readAllLines(Path.of("../deploy/docker/secured-files.txt"))) {
            if (file.matches(".*(password|secret-key)")) {
                passwords.add(text(file));
            }
        }
        // Two of them Prometheus has as well as the canary.
        assertThat(passwords).hasSize(11).allMatch(password -> password.matches("[\\w-]{24}"));
        assertThat(new HashSet<>(passwords)).hasSize(9);
        try (Stream<Path> files = Files.walk(secrets)) {
            assertThat(files.filter(f -> f.toString().endsWith("ca.pem")))
                    .allSatisfy(f -> assertThat(f).content().doesNotContain("PRIVATE KEY"));
        }
    }

    @Test
    void whatAlertmanagersHealthCheckKnowsOpensAlertmanagerOnly() throws IOException {
        assertThat(text("alertmanager/health.yml")).contains("username: health");
        assertThat(opens("alertmanager/password", "alertmanager", "health")).isTrue();
        for (String other : List.of("prometheus", "node-exporter")) {
            assertThat(text(other + "/web.yml")).as(other).doesNotContain(" health:");
        }
    }

    private boolean opens(String passwordFile, String server, String user) throws IOException {
        String known = "  " + user + ": ";
        String hash = text(server + "/web.yml")
                .lines()
                .filter(line -> line.startsWith(known))
                .collect(Collectors.joining())
                .substring(known.length());
        return OpenBSDBCrypt.checkPassword(hash, text(passwordFile).toCharArray());
    }

    private String text(String file) throws IOException {
        return Files.readString(secrets.resolve(file));
    }

    @Test
    void nothingIsOverwritten() {
        assertThatThrownBy(() -> new ComposeSecrets(() -> NOW).write(secrets))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    private Iterable<Path> containers() throws IOException {
        try (Stream<Path> all = Files.list(secrets)) {
            return all.filter(Files::isDirectory).sorted().toList();
        }
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static X509Certificate certificate(Path pem) throws Exception {
        String text = Files.readString(pem);
        byte[] first = text.substring(text.indexOf("-----BEGIN CERTIFICATE")).getBytes();
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(first));
    }
}
