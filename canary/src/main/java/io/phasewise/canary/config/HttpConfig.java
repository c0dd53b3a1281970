/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.auth.PasswordFile;
import io.phasewise.common.file.FileSource;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.tls.TlsSource;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the canary serves its metrics and status, and to whom.
 *
 * @param host address or name to bind, for example 127.0.0.1, or 0.0.0.0 in a container
 * @param port TCP port, 0 to 65535; 0 takes any free one
 * @param tls the files of the certificate; empty for plain HTTP
 * @param basicAuth the only user; empty where everybody may read
 */
public record HttpConfig(
        @Form(value = "[A-Za-z0-9._:%-]{1,253}", allowed = "a host name or an IP address")
        String host,

        @Bounds("0 to 65535") int port,
        Optional<Tls> tls,
        Optional<BasicAuth> basicAuth) {
    /** Files; null where a key is missing, which is a fault. */
    public record Tls(Path certificate, Path key, Optional<Path> clientCa) {
        /** The certificate and key that the files hold. */
        public TlsSource source() {
            return TlsSource.pem(certificate, key).withClientAuthority(clientCa);
        }
    }

    /** Who may come in; null where a key is missing, which is a fault. */
    public record BasicAuth(
            @Form(
                    value = "[A-Za-z0-9._@-]{1,100}",
                    allowed = "letters, digits, dots, dashes, underscores, @, at most 100")
            String username,

            Path passwordFile) {
        /** The user name, and the password that the file holds. */
        public PasswordFile source() {
            return new PasswordFile(username, passwordFile);
        }
    }

    /** The scheme of the endpoint's URLs. */
    public String scheme() {
        return tls.isPresent() ? "https" : "http";
    }

    /**
     * Adds the faults of keys that are valid alone but not together, and of the files.
     *
     * @param given the section that they are in
     */
    void check(Section given) {
        Section files = given.below("tls");
        Section user = given.below("basic-auth");
        boolean isTls = isGiven(files, "certificate", "a PEM file with the certificates")
                & isGiven(files, "key", "a PEM file with the key, PKCS 8, no password");
        boolean isUser =
                isGiven(user, "username", "a name") & isGiven(user, "password-file", "a file with the password");
        if (isUser && !isTls) {
            String inClear = "without http.tls the password crosses the network in clear";
            given.warnings().add("canary.http.basic-auth: " + inClear);
        }
        if (isTls) {
            check(files, tls.orElseThrow().source());
        }
        if (isUser) {
            check(user, basicAuth.orElseThrow().source());
        }
    }

    /** Names a key that is missing where another of its section is given. */
    private static boolean isGiven(Section section, String key, String allowed) {
        String whole = section.at() + key;
        boolean isRefused =
                section.faults().stream().anyMatch(each -> each.key().equals(whole));
        if (!section.has(key) && !section.own().isEmpty() && !isRefused) {
            section.fault(key, "is missing; required with the keys beside it: " + allowed);
        }
        return section.has(key);
    }

    private static void check(Section section, FileSource<?> source) {
        try {
            source.read();
        } catch (UnusableFileException e) {
            section.fault(e.key(), Section.quote(section.text(e.key())) + " " + e.getMessage());
        }
    }
}
