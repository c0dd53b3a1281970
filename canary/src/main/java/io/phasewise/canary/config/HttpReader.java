/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.auth.PasswordFile;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.tls.TlsSource;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.util.Optional;

/** What the keys of the endpoint mean together, and whether the files that they name are of use. */
final class HttpReader {
    private HttpReader() {}

    /** The keys of the endpoint; null where none of a group's is given. */
    record Http(
            @Pattern(regexp = "[A-Za-z0-9._:%-]{1,253}", message = "a host name or an IP address")
                    String host,
            @Within("0 to 65535") int port,
            Tls tls,
            @Valid BasicAuth basicAuth) {
        /** Files. */
        record Tls(Path certificate, Path key, Path clientCa) {}

        /** Who may come in. */
        record BasicAuth(
                @Pattern(
                                regexp = "[A-Za-z0-9._@-]{1,100}",
                                message =
                                        "letters, digits, dots, dashes, underscores, @, at most"
                                                + " 100")
                        String username,
                Path passwordFile) {}
    }

    /**
     * Checks them, and reads the files.
     *
     * @param canary the section that they are in
     */
    static HttpConfig read(Section canary, Http http) {
        Optional<TlsSource> tls = tls(canary, http.tls());
        Optional<PasswordFile> user = user(canary, http.basicAuth());
        if (user.isPresent() && tls.isEmpty()) {
            canary.faults()
                    .warn(
                            "canary.http.basic-auth: without http.tls the password crosses the"
                                    + " network in clear");
        }
        return new HttpConfig(http.host(), http.port(), tls, user);
    }

    private static Optional<TlsSource> tls(Section canary, Http.Tls given) {
        if (given == null || given.equals(new Http.Tls(null, null, null))) {
            return Optional.empty();
        }
        String at = "http.tls.";
        boolean whole =
                required(canary, at + "certificate", "a PEM file with the certificates")
                        & required(
                                canary, at + "key", "a PEM file with the key, PKCS 8, no password");
        if (!whole) {
            return Optional.empty();
        }
        TlsSource tls =
                TlsSource.pem(given.certificate(), given.key())
                        .withClientAuthority(Optional.ofNullable(given.clientCa()));
        try {
            tls.read();
        } catch (UnusableFileException e) {
            refuse(canary, at, e);
        }
        return Optional.of(tls);
    }

    private static Optional<PasswordFile> user(Section canary, Http.BasicAuth given) {
        if (given == null || given.equals(new Http.BasicAuth(null, null))) {
            return Optional.empty();
        }
        String at = "http.basic-auth.";
        boolean whole =
                required(canary, at + "username", "a name")
                        & required(canary, at + "password-file", "a file with the password");
        if (!whole) {
            return Optional.empty();
        }
        PasswordFile user = new PasswordFile(given.username(), given.passwordFile());
        try {
            user.read();
        } catch (UnusableFileException e) {
            refuse(canary, at, e);
        }
        return Optional.of(user);
    }

    private static boolean required(Section canary, String key, String allowed) {
        if (!canary.has(key) && !canary.faults().has(canary.at() + key)) {
            canary.fault(key, "is missing; required with the keys beside it: " + allowed);
        }
        return canary.has(key);
    }

    private static void refuse(Section canary, String at, UnusableFileException e) {
        String key = at + e.key();
        canary.fault(key, Faults.quote(canary.text(key)) + " " + e.getMessage());
    }
}
