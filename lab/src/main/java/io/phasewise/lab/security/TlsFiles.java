/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.security;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/**
 * Writes certificates and keys as PEM. Only their owner can read private keys.
 */
public final class TlsFiles {

    private TlsFiles() {}

    /**
     * Writes a trusted certificate as PEM.
     *
     * @throws IOException when the file cannot be written
     */
    public static void writeTrustPem(Path file, X509Certificate trusted) throws IOException {
        Files.writeString(file, pem(trusted));
    }

    /**
     * Writes a private key and its certificates as PEM.
     *
     * @throws IOException when the file cannot be written
     */
    public static void writeKeyPem(Path file, CertificateAuthority.Issued issued) throws IOException {
        StringBuilder text =
                new StringBuilder(pem(new JcaPKCS8Generator(issued.keys().getPrivate(), null).generate()));
        for (X509Certificate certificate : issued.chain()) {
            text.append(pem(certificate));
        }
        makePrivate(file);
        Files.writeString(file, text);
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }

    /**
     * Makes an empty file that only its owner may read. To be called before a secret is written to
     * it.
     *
     * @throws IOException when it cannot be written
     */
    public static void makePrivate(Path file) throws IOException {
        Files.writeString(file, "");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
