/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of an authority, in files; that TLS clients accept them is tested with servers. */
class CertificateAuthorityTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    Path directory;

    @Test
    void issuesForThisHostOnly() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("lab", InstantSource.fixed(NOW));
        CertificateAuthority.Issued issued = authority.issueForThisHost("broker");
        X509Certificate certificate = issued.chain().get(0);

        certificate.verify(authority.certificate().getPublicKey());
        assertThat(issued.chain()).element(1).isEqualTo(authority.certificate());
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=broker");
        assertThat(certificate.getSubjectAlternativeNames())
                .extracting(name -> (Object) name.get(1))
                .containsExactlyInAnyOrder("localhost", "127.0.0.1");
        assertThat(certificate.getBasicConstraints()).as("is no authority").isEqualTo(-1);
        assertThat(certificate.getNotBefore().toInstant()).isBefore(NOW);
        assertThat(certificate.getNotAfter().toInstant()).isAfter(NOW);
    }

    @Test
    void writesPemWithTheKeyForItsOwnerOnly() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("lab", InstantSource.system());
        Path trust = directory.resolve("ca.pem");
        Path key = directory.resolve("broker.pem");
        TlsFiles.writeTrustPem(trust, authority.certificate());
        TlsFiles.writeKeyPem(key, authority.issueForThisHost("broker"));

        try (InputStream in = Files.newInputStream(trust)) {
            assertThat(CertificateFactory.getInstance("X.509").generateCertificate(in))
                    .isEqualTo(authority.certificate());
        }
        assertThat(Files.readAllLines(key).stream().filter(line -> line.startsWith("-----BEGIN")))
                .containsExactly(
                        "-----BEGIN PRIVATE KEY-----", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }
}
