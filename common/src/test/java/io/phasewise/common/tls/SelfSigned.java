/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate for this host that signed itself, with its key. */
public record SelfSigned(KeyPair keys, X509Certificate certificate) {

    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "Ed25519", "Ed25519");
    private static final long YEAR_2000 = 946_684_800_000L;
    private static final long YEAR_2100 = 4_102_444_800_000L;

    /** With a key of a kind: RSA, EC or Ed25519. */
    public static SelfSigned of(String commonName, String algorithm) {
        try {
            KeyPair keys = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
            X500Name name = new X500Name("CN=" + commonName);
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name, BigInteger.ONE, new Date(YEAR_2000), new Date(YEAR_2100), name, keys.getPublic());
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
            ContentSigner signer = new JcaContentSignerBuilder(SIGNATURES.get(algorithm)).build(keys.getPrivate());
            return new SelfSigned(keys, new JcaX509CertificateConverter().getCertificate(builder.build(signer)));
        } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As {@code EC}. */
    public static SelfSigned of(String commonName) {
        return of(commonName, "EC");
    }

    /** Key and certificate into one file. */
    public void writePem(Path file) throws IOException {
        Files.writeString(
                file,
                "a comment\n" + pem(new JcaPKCS8Generator(keys.getPrivate(), null).generate()) + pem(certificate));
    }

    /** The certificate alone. */
    public void writeCertificate(Path file) throws IOException {
        Files.writeString(file, pem(certificate));
    }

    public void writePkcs12(Path file, String password) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            store(password).store(out, password.toCharArray());
        }
    }

    /** Of a client that trusts this one; shows the other one unless that is null. */
    public SSLContext client(SelfSigned shown) throws Exception {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("ca", certificate);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(trust);
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(shown == null ? null : shown.store("any"), "any".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private KeyStore store(String password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", keys.getPrivate(), password.toCharArray(), new Certificate[] {certificate});
        return store;
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }
}
