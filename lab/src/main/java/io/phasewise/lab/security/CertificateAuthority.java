/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.security;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority in memory, which issues certificates for this host and others. {@link
 * TlsFiles} writes them to files.
 */
public final class CertificateAuthority {

    /**
     * Long enough for a stack that is left running, short enough to limit the harm when a file
     * leaks.
     */
    private static final Duration VALIDITY = Duration.ofDays(30);

    /** Certificates are valid from this much earlier, for clients whose clock is behind. */
    private static final Duration BACKDATED = Duration.ofHours(1);

    private static final String SIGNATURE = "SHA256withECDSA";

    private static final ExtendedKeyUsage SERVER_AND_CLIENT =
            new ExtendedKeyUsage(new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth});

    private final InstantSource clock;
    private final Duration validity;
    private final SecureRandom random;
    private final KeyPair keys;
    private final X500Name name;
    private final X509Certificate certificate;

    /**
     * A certificate and the private key that belongs to it.
     *
     * @param keys key pair of the certificate
     * @param chain the certificate, then that of its issuer
     */
    public record Issued(KeyPair keys, List<X509Certificate> chain) {}

    /**
     * Makes an authority with a key of its own.
     *
     * @param commonName its name, without special characters
     * @param clock for the time from which certificates are valid
     */
    public CertificateAuthority(String commonName, InstantSource clock) {
        this(commonName, clock, VALIDITY);
    }

    /**
     * As {@link #CertificateAuthority(String, InstantSource)}, with another validity.
     *
     * @param validity how long certificates are valid, its own too
     */
    public CertificateAuthority(String commonName, InstantSource clock, Duration validity) {
        this.clock = clock;
        this.validity = validity;
        this.random = new SecureRandom();
        this.keys = newKeys();
        this.name = new X500Name("CN=" + commonName);
        this.certificate = signed(name, keys, List.of());
    }

    /** The certificate of this authority, for its trust stores. */
    public X509Certificate certificate() {
        return certificate;
    }

    /**
     * Issues a certificate for {@code localhost} and {@code 127.0.0.1}, good for servers and for
     * clients that show it.
     *
     * @param commonName the subject, without special characters
     */
    public Issued issueForThisHost(String commonName) {
        return issue(commonName, List.of());
    }

    /**
     * As {@link #issueForThisHost}, and for other hosts too.
     *
     * @param hosts further names of the server
     */
    public Issued issue(String commonName, List<String> hosts) {
        List<GeneralName> names = new ArrayList<>();
        hosts.forEach(host -> names.add(new GeneralName(GeneralName.dNSName, host)));
        names.add(new GeneralName(GeneralName.dNSName, "localhost"));
        names.add(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
        KeyPair subjectKeys = newKeys();
        X509Certificate issued = signed(new X500Name("CN=" + commonName), subjectKeys, names);
        return new Issued(subjectKeys, List.of(issued, certificate));
    }

    /**
     * @param hosts none for an authority
     */
    private X509Certificate signed(X500Name subject, KeyPair subjectKeys, List<GeneralName> hosts) {
        boolean authority = hosts.isEmpty();
        BasicConstraints constraints = authority ? new BasicConstraints(0) : new BasicConstraints(false);
        int usage = authority ? KeyUsage.keyCertSign | KeyUsage.cRLSign : KeyUsage.digitalSignature;
        try {
            JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    new BigInteger(127, random),
                    Date.from(clock.instant().minus(BACKDATED)),
                    Date.from(clock.instant().plus(validity)),
                    subject,
                    subjectKeys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, constraints);
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    identifiers.createSubjectKeyIdentifier(subjectKeys.getPublic()));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    identifiers.createAuthorityKeyIdentifier(keys.getPublic()));
            if (!authority) {
                builder.addExtension(Extension.extendedKeyUsage, false, SERVER_AND_CLIENT);
                GeneralNames names = new GeneralNames(hosts.toArray(GeneralName[]::new));
                builder.addExtension(Extension.subjectAlternativeName, false, names);
            }
            ContentSigner signer = new JcaContentSignerBuilder(SIGNATURE).build(keys.getPrivate());
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("cannot make a certificate for " + subject, e);
        }
    }

    private KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
