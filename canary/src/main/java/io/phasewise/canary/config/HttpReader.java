/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the keys of the endpoint: their defaults and ranges are said here and nowhere else. */
final class HttpReader {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:%-]{1,253}");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9._@-]{1,100}");

    private final KeyReader keys;
    private final List<String> warnings;

    /**
     * @param keys reads values and notes faults
     * @param warnings takes what deserves a word
     */
    HttpReader(KeyReader keys, List<String> warnings) {
        this.keys = keys;
        this.warnings = warnings;
    }

    /**
     * Reads them, and the files that they name.
     *
     * @param at the prefix of the keys, with the dot
     */
    HttpConfig read(String at) {
        HttpConfig http =
                new HttpConfig(
                        keys.text(at + "host", "127.0.0.1", HOST, "a host name or an IP address"),
                        keys.integer(at + "port", 9470, 0, 65535),
                        tls(at + "tls."),
                        user(at + "basic-auth."));
        if (http.user().isPresent() && http.tls().isEmpty()) {
            warnings.add(
                    at + "basic-auth: without http.tls the password crosses the network in clear");
        }
        return http;
    }

    private Optional<HttpTls> tls(String at) {
        Optional<Path> certificate = file(at + "certificate");
        Optional<Path> key = file(at + "key");
        Optional<Path> clientAuthority = file(at + "client-ca");
        if (certificate.isEmpty() && key.isEmpty() && clientAuthority.isEmpty()) {
            return Optional.empty();
        }
        boolean whole =
                given(certificate, at + "certificate", "a PEM file with the certificates")
                        & given(key, at + "key", "a PEM file with the key, PKCS 8, no password");
        if (!whole) {
            return Optional.empty();
        }
        HttpTls tls = new HttpTls(certificate.get(), key.get(), clientAuthority);
        try {
            tls.context();
        } catch (UnusableFileException e) {
            fault(at, e);
        }
        return Optional.of(tls);
    }

    private Optional<HttpUser> user(String at) {
        String name =
                keys.text(
                        at + "username",
                        "",
                        USER,
                        "letters, digits, dots, dashes, underscores, @, at most 100");
        Optional<Path> passwordFile = file(at + "password-file");
        if (name.isEmpty() && passwordFile.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> named = name.isEmpty() ? Optional.empty() : Optional.of(name);
        boolean whole =
                given(named, at + "username", "a name")
                        & given(passwordFile, at + "password-file", "a file with the password");
        if (!whole) {
            return Optional.empty();
        }
        HttpUser user = new HttpUser(name, passwordFile.get());
        try {
            user.password();
        } catch (UnusableFileException e) {
            fault(at, e);
        }
        return Optional.of(user);
    }

    /** Notes the fault where it is not; one that was given and refused is a fault already. */
    private boolean given(Optional<?> value, String key, String allowed) {
        if (value.isEmpty() && keys.textOrNull(key) == null) {
            keys.fault(key, "is missing; required with the keys beside it: " + allowed);
        }
        return value.isPresent();
    }

    private void fault(String at, UnusableFileException e) {
        String key = at + e.key();
        keys.fault(key, KeyReader.quote(keys.textOrNull(key)) + " " + e.getMessage());
    }

    private Optional<Path> file(String key) {
        String text = keys.textOrNull(key);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            keys.fault(key, KeyReader.quote(text) + " is not the name of a file");
            return Optional.empty();
        }
    }
}
