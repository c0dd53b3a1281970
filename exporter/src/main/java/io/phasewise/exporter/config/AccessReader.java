/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.auth.PasswordHash;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.tls.ServerTls;
import io.phasewise.common.tls.TlsSource;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the section http: who may read the endpoint, with the files that it names. */
final class AccessReader {

    private static final String USERNAME = "http.basic-auth.username";
    private static final String PASSWORD_HASH = "http.basic-auth.password-hash";
    private static final String CERTIFICATE = "http.tls.certificate";
    private static final String PRIVATE_KEY = "http.tls.key";
    private static final String KEYSTORE = "http.tls.keystore";
    private static final String KEYSTORE_PASSWORD = "http.tls.keystore-password-file";
    private static final String CLIENT_CA = "http.tls.client-ca";
    private static final List<String> FILES = List.of(CERTIFICATE, PRIVATE_KEY, KEYSTORE, KEYSTORE_PASSWORD, CLIENT_CA);

    private final ConfigLoader loader;

    /**
     * @param loader has read the file, and takes faults
     */
    AccessReader(ConfigLoader loader) {
        this.loader = loader;
    }

    /** The files from which the section was read. */
    Set<Path> files() {
        Set<Path> files = new LinkedHashSet<>();
        if (loader.file() != null) {
            files.add(loader.file());
        }
        FILES.stream().filter(loader::has).map(loader::path).forEach(files::add);
        return files;
    }

    /** Null: no password is asked for, or a fault was found. */
    BasicAuth basicAuth() {
        if (!areThere(USERNAME, PASSWORD_HASH)) {
            return null;
        }
        String user = loader.text(USERNAME);
        if (user.isEmpty() || user.contains(":")) {
            loader.fault(USERNAME, "allowed is a name without a colon");
            return null;
        }
        try {
            return BasicAuth.withHash(user, PasswordHash.parse(loader.text(PASSWORD_HASH)));
        } catch (IllegalArgumentException e) {
            loader.fault(PASSWORD_HASH, e.getMessage());
            return null;
        }
    }

    /** Null: without TLS, or a fault was found. */
    ServerTls tls() {
        boolean pem = areThere(CERTIFICATE, PRIVATE_KEY);
        boolean pkcs12 = areThere(KEYSTORE, KEYSTORE_PASSWORD);
        boolean clients = loader.has(CLIENT_CA);
        if (pem == pkcs12) {
            if (pem || clients) {
                loader.fault(
                        clients ? CLIENT_CA : KEYSTORE,
                        "needs either certificate and key, or keystore and keystore-password-file");
            }
            return null;
        }
        TlsSource source = pem
                ? TlsSource.pem(loader.path(CERTIFICATE), loader.path(PRIVATE_KEY))
                : TlsSource.pkcs12(loader.path(KEYSTORE), loader.path(KEYSTORE_PASSWORD));
        try {
            return source.withClientAuthority(clients ? Optional.of(loader.path(CLIENT_CA)) : Optional.empty())
                    .read();
        } catch (UnusableFileException e) {
            String key = "http.tls." + e.key();
            loader.fault(key, loader.path(key) + " " + e.getMessage());
            return null;
        }
    }

    /** Whether both keys are there. If only one is, the missing one is reported as a fault. */
    private boolean areThere(String one, String other) {
        if (loader.has(one) != loader.has(other)) {
            loader.fault(loader.has(one) ? other : one, "required");
        }
        return loader.has(one) && loader.has(other);
    }
}
