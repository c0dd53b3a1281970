/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.tls;

import io.phasewise.common.file.ConfiguredFile;
import io.phasewise.common.file.UnusableFileException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManagerFactory;

/** Reads certificates and keys in PEM. Other blocks and text around them are allowed. */
public final class Pem {

    private static final Pattern CERTIFICATE = block("CERTIFICATE");
    private static final Pattern KEY = block("PRIVATE KEY");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    private Pem() {}

    private static Pattern block(String what) {
        return Pattern.compile("-----BEGIN " + what + "-----([A-Za-z0-9+/=\\s]+)-----END " + what + "-----");
    }

    /**
     * All certificates of a file, in their order.
     *
     * @param key the last part of the key that names the file
     * @throws UnusableFileException when there is none, or one cannot be read
     */
    public static List<X509Certificate> certificates(String key, Path file) throws UnusableFileException {
        Matcher pem = CERTIFICATE.matcher(ConfiguredFile.text(key, file));
        List<X509Certificate> certificates = new ArrayList<>();
        while (pem.find()) {
            try {
                InputStream decoded = new ByteArrayInputStream(decoded(pem));
                CertificateFactory reader = CertificateFactory.getInstance("X.509");
                certificates.add((X509Certificate) reader.generateCertificate(decoded));
            } catch (CertificateException | IllegalArgumentException e) {
                int number = certificates.size() + 1;
                throw new UnusableFileException(key, "holds a certificate that cannot be read, number " + number);
            }
        }
        if (certificates.isEmpty()) {
            throw new UnusableFileException(
                    key, "is not PEM of the expected kind; allowed: PEM with BEGIN CERTIFICATE");
        }
        return certificates;
    }

    /**
     * The first private key of a file, which has no password.
     *
     * @param key the last part of the key that names the file
     * @throws UnusableFileException when there is none, or it cannot be read
     */
    public static PrivateKey privateKey(String key, Path file) throws UnusableFileException {
        Matcher pem = KEY.matcher(ConfiguredFile.text(key, file));
        if (!pem.find()) {
            throw new UnusableFileException(
                    key, "is not PEM of the expected kind; allowed: PEM with BEGIN PRIVATE KEY (PKCS 8, no password)");
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(decoded(pem)));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                // The next kind, then. Nothing of a key may be in a message.
            }
        }
        throw new UnusableFileException(
                key, "holds a private key that this JVM cannot read; allowed: " + String.join(", ", ALGORITHMS));
    }

    /**
     * Trusts the certificates of a file, and nobody else.
     *
     * @param key the last part of the key that names the file
     * @throws UnusableFileException as {@link #certificates}
     */
    public static TrustManagerFactory authorities(String key, Path file) throws UnusableFileException {
        List<X509Certificate> certificates = certificates(key, file);
        try {
            KeyStore authorities = emptyStore();
            for (int i = 0; i < certificates.size(); i++) {
                authorities.setCertificateEntry("ca-" + i, certificates.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            return trust;
        } catch (GeneralSecurityException | IOException e) {
            throw new UnusableFileException(key, "cannot be used: " + e.getMessage());
        }
    }

    static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static byte[] decoded(Matcher pem) {
        return Base64.getMimeDecoder().decode(pem.group(1));
    }
}
