/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.phasewise.common.file.UnusableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsSourceTest {

    @TempDir
    Path directory;

    @BeforeEach
    void write() throws Exception {
        SelfSigned one = SelfSigned.of("one");
        one.writePem(path("one.pem"));
        one.writeCertificate(path("ca.pem"));
        one.writePkcs12(path("one.p12"), "hush");
        SelfSigned.of("other").writePem(path("other.pem"));
        SelfSigned.of("other", "RSA").writePem(path("rsa.pem"));
        Files.writeString(path("password"), " hush\n");
        Files.writeString(path("wrong"), "wrong\n");
        Files.writeString(path("text"), "no PEM\n");
        Files.writeString(
                path("cut.pem"), Files.readString(path("one.pem")).replaceFirst("KEY-----\n.{20}", "KEY-----\n"));
        Files.writeString(
                path("cutcert.pem"),
                Files.readString(path("one.pem")).replaceFirst("CERTIFICATE-----\n.{20}", "CERTIFICATE-----\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void readsKeysOfEachKindFromPem(String algorithm) throws Exception {
        SelfSigned.of("it", algorithm).writePem(path("it.pem"));

        ServerTls tls = TlsSource.pem(path("it.pem"), path("it.pem")).read();

        assertThat(tls.context.getProtocol()).isEqualTo("TLS");
        assertThat(tls.clientsMustHaveCertificates).isFalse();
    }

    @Test
    void readsAKeyStore() throws Exception {
        TlsSource source = TlsSource.pkcs12(path("one.p12"), path("password"));

        assertThat(source.read().clientsMustHaveCertificates).isFalse();
        assertThat(source.files()).containsExactlyInAnyOrder(path("one.p12"), path("password"));
    }

    @Test
    void wantsCertificatesOfClientsWhereThereIsAnAuthority() throws Exception {
        TlsSource source =
                TlsSource.pem(path("one.pem"), path("one.pem")).withClientAuthority(Optional.of(path("ca.pem")));

        assertThat(source.read().clientsMustHaveCertificates).isTrue();
        assertThat(source.files()).containsExactlyInAnyOrder(path("one.pem"), path("ca.pem"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    one.pem     | other.pem | key         | is not the key of the certificate
                    one.pem     | rsa.pem   | key         | is not the key of the certificate
                    one.pem     | ca.pem    | key         | is not PEM of the expected kind; allowed: PEM with BEGIN PRIVATE KEY (PKCS 8, no password)
                    one.pem     | cut.pem   | key         | holds a private key that this JVM cannot read; allowed: RSA, EC, Ed25519
                    absent      | one.pem   | certificate | is not there
                    text        | one.pem   | certificate | is not PEM of the expected kind; allowed: PEM with BEGIN CERTIFICATE
                    cutcert.pem | one.pem   | certificate | holds a certificate that cannot be read, number 1
                    .           | one.pem   | certificate | is not a regular file
                    """)
    void namesTheFileThatIsToBlame(String certificate, String key, String blamed, String message) throws IOException {
        UnusableFileException refused = refused(TlsSource.pem(path(certificate), path(key)));

        assertThat(refused.key()).isEqualTo(blamed);
        assertThat(refused).hasMessage(message);
    }

    private static UnusableFileException refused(TlsSource source) {
        return catchThrowableOfType(UnusableFileException.class, source::read);
    }

    @Test
    void aKeyStoreNeedsItsPassword() {
        UnusableFileException wrong = refused(TlsSource.pkcs12(path("one.p12"), path("wrong")));
        UnusableFileException absent = refused(TlsSource.pkcs12(path("one.p12"), path("absent")));

        assertThat(wrong.key()).isEqualTo("keystore");
        assertThat(wrong).hasMessageStartingWith("cannot be used: ");
        assertThat(absent.key()).isEqualTo("keystore-password-file");
        assertThat(absent).hasMessage("is not there");
    }

    @Test
    void anAuthorityThatIsNoneIsNamed() {
        TlsSource source =
                TlsSource.pem(path("one.pem"), path("one.pem")).withClientAuthority(Optional.of(path("text")));

        assertThat(refused(source).key()).isEqualTo("client-ca");
    }

    private Path path(String name) {
        return directory.resolve(name);
    }
}
