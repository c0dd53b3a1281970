/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/**
 * Certificate and key of the canary's endpoint, and whose clients may come. The files are read by
 * Kafka's own client, so that what one of its clients takes is good here, too.
 *
 * @param certificate PEM, the endpoint's own first, then those between it and the authority
 * @param key PEM, PKCS 8 without a password
 * @param clientAuthority PEM; a client without a certificate that it signed is turned away
 */
public record HttpTls(Path certificate, Path key, Optional<Path> clientAuthority) {
    private static final String PEM = "PEM";

    /** Under which Kafka's client keeps what it has read from PEM. */
    private static final String ALIAS = "kafka";

    /** The files; one may be two of them. */
    public Set<Path> files() {
        Set<Path> files = new TreeSet<>(List.of(certificate, key));
        clientAuthority.ifPresent(files::add);
        return files;
    }

    /**
     * Reads the files.
     *
     * @return what connections are made of
     * @throws UnusableFileException when they cannot be read, are not PEM, or do not fit together
     */
    public SSLContext context() throws UnusableFileException {
        Map<String, Object> settings = new HashMap<>();
        settings.put(SslConfigs.SSL_PROTOCOL_CONFIG, "TLS");
        // The JVM's own choice of both.
        settings.put(SslConfigs.SSL_CIPHER_SUITES_CONFIG, List.of());
        settings.put(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG, List.of());
        settings.put(SslConfigs.SSL_KEYSTORE_TYPE_CONFIG, PEM);
        settings.put(
                SslConfigs.SSL_KEYSTORE_CERTIFICATE_CHAIN_CONFIG,
                pem("certificate", certificate, "CERTIFICATE-----"));
        settings.put(SslConfigs.SSL_KEYSTORE_KEY_CONFIG, pem("key", key, "BEGIN PRIVATE KEY-----"));
        if (clientAuthority.isPresent()) {
            settings.put(SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG, PEM);
            settings.put(
                    SslConfigs.SSL_TRUSTSTORE_CERTIFICATES_CONFIG,
                    pem("client-ca", clientAuthority.get(), "CERTIFICATE-----"));
        }
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(settings);
            requirePair(factory.keystore());
            return factory.sslContext();
        } catch (KafkaException | GeneralSecurityException e) {
            throw new UnusableFileException(
                    "certificate", "cannot be used, or its key cannot: " + deepest(e));
        }
    }

    private static Password pem(String name, Path file, String mark) throws UnusableFileException {
        String text = SmallFile.read(name, file);
        if (!text.contains(mark)) {
            throw new UnusableFileException(
                    name,
                    "does not hold what it should; allowed: PEM with "
                            + (mark.startsWith("BEGIN")
                                    ? "BEGIN PRIVATE KEY (PKCS 8, no password)"
                                    : "BEGIN CERTIFICATE"));
        }
        return new Password(text);
    }

    /** A certificate with the key of another one would fail with every connection, not before. */
    private static void requirePair(KeyStore store)
            throws GeneralSecurityException, UnusableFileException {
        PrivateKey secret = (PrivateKey) store.getKey(ALIAS, null);
        PublicKey shown = store.getCertificate(ALIAS).getPublicKey();
        byte[] message = {1};
        boolean fits = secret.getAlgorithm().equals(shown.getAlgorithm());
        if (fits) {
            Signature signature = Signature.getInstance(signatureWith(secret.getAlgorithm()));
            signature.initSign(secret);
            signature.update(message);
            byte[] signed = signature.sign();
            signature.initVerify(shown);
            signature.update(message);
            fits = signature.verify(signed);
        }
        if (!fits) {
            throw new UnusableFileException("key", "is not the key of the certificate");
        }
    }

    private static String signatureWith(String algorithm) {
        return switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> algorithm;
        };
    }

    private static String deepest(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage();
    }
}
