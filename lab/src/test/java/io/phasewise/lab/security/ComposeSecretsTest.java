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

    @TempDir static Path directory;

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
            assertThat(container.resolve("ca.pem"))
                    .hasSameTextualContentAs(secrets.resolve("ca.pem"));
        }
    }

    /** What is named of them in the containers' configuration is held against the same list. */
    @Test
    void theFilesAreThoseThatTheContainersAreTestedAgainst() throws IOException {
        try (Stream<Path> all = Files.walk(secrets)) {
            assertThat(
                            all.filter(Files::isRegularFile)
                                    .map(file -> secrets.relativize(file).toString())
                                    .sorted())
                    .containsExactlyElementsOf(
                            Files.readAllLines(Path.of("../docker/secured-files.txt")));
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
                assertThat(files)
                        .allSatisfy(f -> assertThat(permissions(f)).isEqualTo("rw-r--r--"));
            }
        }
    }

    @Test
    void whatPrometheusAsksWithIsWhatIsAskedFor() throws IOException {
        char[] password = Files.readString(secrets.resolve("prometheus/password")).toCharArray();

        for (String server : new String[] {"prometheus", "alertmanager", "node-exporter"}) {
            assertThat(OpenBSDBCrypt.checkPassword(hash(server, "prometheus"), password))
                    .as(server)
                    .isTrue();
        }
        assertThat(secrets.resolve("canary/exporter-password"))
                .hasSameTextualContentAs(secrets.resolve("prometheus/exporter-password"));
        assertThat(secrets.resolve("canary/http-password"))
                .hasSameTextualContentAs(secrets.resolve("prometheus/canary-password"));
        assertThat(secrets.resolve("alertmanager/receiver.url"))
                .content()
                .contains(":" + Files.readString(secrets.resolve("receiver/password")) + "@");
    }

    @Test
    void brokersAreToldTheCanarysPasswordInTheFormOfKafkasTool() throws IOException {
        assertThat(secrets.resolve("setup/canary.scram"))
                .hasContent(
                        "SCRAM-SHA-512=iterations=8192,password="
                                + Files.readString(secrets.resolve("canary/kafka-password")));
    }

    @Test
    void noPasswordServesTwoPurposesAndTheAuthoritysKeyIsNowhere() throws IOException {
        List<String> passwords = new ArrayList<>();
        for (String file : Files.readAllLines(Path.of("../docker/secured-files.txt"))) {
            if (file.matches(".*(password|secret-key)")) {
                passwords.add(Files.readString(secrets.resolve(file)));
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
        char[] password = Files.readString(secrets.resolve("alertmanager/password")).toCharArray();

        assertThat(secrets.resolve("alertmanager/health.yml"))
                .content()
                .contains("username: health");
        assertThat(hash("alertmanager", "health"))
                .matches(hash -> OpenBSDBCrypt.checkPassword(hash, password));
        assertThat(hash("prometheus", "health")).isEmpty();
        assertThat(hash("node-exporter", "health")).isEmpty();
    }

    /** Empty where the server does not know the user. */
    private String hash(String server, String user) throws IOException {
        String known = "  " + user + ": ";
        return Files.readString(secrets.resolve(server + "/web.yml"))
                .lines()
                .filter(line -> line.startsWith(known))
                .map(line -> line.substring(known.length()))
                .collect(Collectors.joining());
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
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(first));
    }
}
