/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificate and key of the endpoint, and who may come, as read from files. */
public final class Tls {

    private static final Pattern KEY =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern CERTIFICATE =
            Pattern.compile(
                    "-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END CERTIFICATE-----");
    private static final char[] NO_PASSWORD = {};

    private final SSLContext context;
    private final boolean clientsMustHaveCertificates;

    private Tls(SSLContext context, boolean clientsMustHaveCertificates) {
        this.context = context;
        this.clientsMustHaveCertificates = clientsMustHaveCertificates;
    }

    /**
     * Makes the context.
     *
     * @param identity certificate and key
     * @param keyPassword of the key in it
     * @param clientAuthority PEM file of who signs clients' certificates; null to ask for none
     * @throws IOException when it cannot be read
     * @throws GeneralSecurityException when it does not fit together
     */
    static Tls of(KeyStore identity, char[] keyPassword, Path clientAuthority)
            throws IOException, GeneralSecurityException {
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(identity, keyPassword);
        TrustManagerFactory trust = null;
        if (clientAuthority != null) {
            KeyStore authorities = empty();
            int number = 0;
            for (Certificate certificate : certificates(clientAuthority)) {
                authorities.setCertificateEntry("ca-" + number++, certificate);
            }
            trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust == null ? null : trust.getTrustManagers(), null);
        return new Tls(context, trust != null);
    }

    /** A chain and its key from PEM files; the key in PKCS#8, without a password. */
    static KeyStore pem(Path certificate, Path key) throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        store.setKeyEntry(
                "endpoint",
                privateKey(key),
                NO_PASSWORD,
                certificates(certificate).toArray(new Certificate[0]));
        return store;
    }

    /** A PKCS#12 file. */
    static KeyStore pkcs12(Path file, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        return store;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static List<Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        // The key may be in the same file.
        Matcher pem = CERTIFICATE.matcher(text(file));
        List<Certificate> certificates = new ArrayList<>();
        while (pem.find()) {
            certificates.add(
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(
                                    new ByteArrayInputStream(
                                            Base64.getMimeDecoder().decode(pem.group(1)))));
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException(
                    "no certificate in it; allowed is PEM with BEGIN CERTIFICATE");
        }
        return certificates;
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        Matcher pem = KEY.matcher(text(file));
        if (!pem.find()) {
            throw new GeneralSecurityException(
                    "no key in it; allowed is PEM with BEGIN PRIVATE KEY (PKCS#8, no password)");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
        for (String algorithm : new String[] {"RSA", "EC", "Ed25519"}) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (InvalidKeySpecException | java.security.NoSuchAlgorithmException e) {
                // The next one, then.
            }
        }
        throw new GeneralSecurityException("its key is of no kind that this JVM knows");
    }

    /** What the endpoint's connections are made of. */
    public SSLContext context() {
        return context;
    }

    /** Whether a client without a trusted certificate is turned away. */
    public boolean clientsMustHaveCertificates() {
        return clientsMustHaveCertificates;
    }
}
