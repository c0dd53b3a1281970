/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.tls;

import io.phasewise.common.file.ConfiguredFile;
import io.phasewise.common.file.FileSource;
import io.phasewise.common.file.UnusableFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * The files with an endpoint's certificate and key, and with the authorities of its clients where
 * these must show a certificate. Faults name the keys {@code certificate}, {@code key}, {@code
 * keystore}, {@code keystore-password-file} and {@code client-ca}.
 */
public final class TlsSource implements FileSource<ServerTls> {

    private static final char[] NO_PASSWORD = {};

    /** Any; an empty one fails with Ed25519. */
    private static final byte[] MESSAGE = {1};

    private final Path identity;
    private final Path secret;
    private final boolean isPem;
    private final Optional<Path> clientAuthority;

    private TlsSource(Path identity, Path secret, boolean isPem, Optional<Path> clientAuthority) {
        this.identity = identity;
        this.secret = secret;
        this.isPem = isPem;
        this.clientAuthority = clientAuthority;
    }

    /**
     * From PEM; both may be one file.
     *
     * @param certificate the endpoint's own first, then those between it and the authority
     * @param key in PKCS 8, without a password
     */
    public static TlsSource pem(Path certificate, Path key) {
        return new TlsSource(certificate, key, true, Optional.empty());
    }

    /**
     * From PKCS 12.
     *
     * @param passwordFile holds the password of the store and of its key; white space around it
     *     does not count
     */
    public static TlsSource pkcs12(Path keystore, Path passwordFile) {
        return new TlsSource(keystore, passwordFile, false, Optional.empty());
    }

    /**
     * The same, for clients with a certificate only.
     *
     * @param authority PEM of the authority that signs the clients' certificates; empty: clients
     *     need no certificate
     */
    public TlsSource withClientAuthority(Optional<Path> authority) {
        return new TlsSource(identity, secret, isPem, authority);
    }

    @Override
    public Set<Path> files() {
        Set<Path> files = new TreeSet<>(List.of(identity, secret));
        clientAuthority.ifPresent(files::add);
        return files;
    }

    @Override
    public ServerTls read() throws UnusableFileException {
        KeyManagerFactory keys = isPem ? keysOfPem() : keysOfStore();
        TrustManager[] trusted = clientAuthority.isPresent()
                ? Pem.authorities("client-ca", clientAuthority.get()).getTrustManagers()
                : null;
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted, null);
            return new ServerTls(context, trusted != null);
        } catch (GeneralSecurityException e) {
            throw new UnusableFileException(isPem ? "certificate" : "keystore", "cannot be used: " + e.getMessage());
        }
    }

    private KeyManagerFactory keysOfPem() throws UnusableFileException {
        Certificate[] chain = Pem.certificates("certificate", identity).toArray(new Certificate[0]);
        PrivateKey key = Pem.privateKey("key", secret);
        try {
            if (!isPair(key, chain[0].getPublicKey())) {
                throw new UnusableFileException("key", "is not the key of the certificate");
            }
            KeyStore store = Pem.emptyStore();
            store.setKeyEntry("endpoint", key, NO_PASSWORD, chain);
            return Pkcs12.keys(store, NO_PASSWORD);
        } catch (GeneralSecurityException | IOException e) {
            throw new UnusableFileException("certificate", "cannot be used, or its key cannot: " + e.getMessage());
        }
    }

    private KeyManagerFactory keysOfStore() throws UnusableFileException {
        char[] password =
                ConfiguredFile.text("keystore-password-file", secret).strip().toCharArray();
        return Pkcs12.keys("keystore", identity, password);
    }

    /** A certificate with the key of another one would fail with every connection, not before. */
    private static boolean isPair(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(signatureWith(key.getAlgorithm()));
        signature.initSign(key);
        signature.update(MESSAGE);
        byte[] signed = signature.sign();
        try {
            signature.initVerify(certified);
            signature.update(MESSAGE);
            return signature.verify(signed);
        } catch (InvalidKeyException | SignatureException ofAnotherKind) {
            return false;
        }
    }

    private static String signatureWith(String algorithm) {
        switch (algorithm) {
            case "RSA":
                return "SHA256withRSA";
            case "EC":
                return "SHA256withECDSA";
            default:
                return algorithm;
        }
    }
}
