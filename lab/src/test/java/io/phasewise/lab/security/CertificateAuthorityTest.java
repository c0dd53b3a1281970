/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that a TLS client accepts, in files that others can read. */
class CertificateAuthorityTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir Path directory;

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
    void aTlsClientThatTrustsTheAuthorityAcceptsTheHost() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("lab", InstantSource.system());
        Path keys = directory.resolve("keys.p12");
        TlsFiles.writeKeyStore(keys, authority.issueForThisHost("broker"), "secret-of-keys");
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("ca", authority.certificate());

        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
        char[] secret = "secret-of-keys".toCharArray();
        keyManagers.init(KeyStore.getInstance(keys.toFile(), secret), secret);
        SSLContext serverSide = SSLContext.getInstance("TLS");
        serverSide.init(keyManagers.getKeyManagers(), null, null);
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
        trustManagers.init(trust);
        SSLContext clientSide = SSLContext.getInstance("TLS");
        clientSide.init(null, trustManagers.getTrustManagers(), null);

        try (SSLServerSocket server =
                        (SSLServerSocket)
                                serverSide.getServerSocketFactory().createServerSocket(0);
                SSLSocket client =
                        (SSLSocket)
                                clientSide
                                        .getSocketFactory()
                                        .createSocket("127.0.0.1", server.getLocalPort())) {
            Thread accepting = new Thread(() -> accept(server));
            accepting.start();
            SSLParameters checkingTheName = client.getSSLParameters();
            checkingTheName.setEndpointIdentificationAlgorithm("HTTPS");
            client.setSSLParameters(checkingTheName);
            client.startHandshake();
            assertThat(client.getSession().getPeerPrincipal().getName()).isEqualTo("CN=broker");
            accepting.join();
        }
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
                        "-----BEGIN PRIVATE KEY-----",
                        "-----BEGIN CERTIFICATE-----",
                        "-----BEGIN CERTIFICATE-----");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    private static void accept(SSLServerSocket server) {
        try (SSLSocket socket = (SSLSocket) server.accept()) {
            socket.startHandshake();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
