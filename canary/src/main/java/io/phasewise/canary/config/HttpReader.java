/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.auth.PasswordFile;
import io.phasewise.common.file.FileSource;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.tls.TlsSource;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.util.Optional;

/** What the keys of the endpoint mean together, and whether the files that they name are of use. */
final class HttpReader {
    private HttpReader() {}

    /** The keys of the endpoint. */
    record Http(
            @Pattern(regexp = "[A-Za-z0-9._:%-]{1,253}", message = "a host name or an IP address")
                    String host,
            @Within("0 to 65535") int port,
            Optional<Tls> tls,
            Optional<@Valid BasicAuth> basicAuth) {}

    /** Files; null where a key is missing. */
    record Tls(Path certificate, Path key, Optional<Path> clientCa) {
        TlsSource source() {
            return TlsSource.pem(certificate, key).withClientAuthority(clientCa);
        }
    }

    /** Who may come in; null where a key is missing. */
    record BasicAuth(
            @Pattern(
                            regexp = "[A-Za-z0-9._@-]{1,100}",
                            message = "letters, digits, dots, dashes, underscores, @, at most 100")
                    String username,
            Path passwordFile) {
        PasswordFile source() {
            return new PasswordFile(username, passwordFile);
        }
    }

    /**
     * Checks them, and reads the files.
     *
     * @param given the section that they are in
     */
    static HttpConfig read(Section given, Http http) {
        Section tls = given.below("tls");
        Section user = given.below("basic-auth");
        boolean isTls =
                areGiven(tls, "certificate", "a PEM file with the certificates")
                        & areGiven(tls, "key", "a PEM file with the key, PKCS 8, no password");
        boolean isUser =
                areGiven(user, "username", "a name")
                        & areGiven(user, "password-file", "a file with the password");
        if (isUser && !isTls) {
            String inClear = "without http.tls the password crosses the network in clear";
            given.warnings().add("canary.http.basic-auth: " + inClear);
        }
        return new HttpConfig(
                http.host(),
                http.port(),
                http.tls().filter(keys -> isTls).map(keys -> usable(tls, keys.source())),
                http.basicAuth().filter(keys -> isUser).map(keys -> usable(user, keys.source())));
    }

    /** Names a key that is missing where another of its section is given. */
    private static boolean areGiven(Section section, String key, String allowed) {
        if (section.has(key) || section.own().isEmpty()) {
            return section.has(key);
        }
        String whole = section.at() + key;
        if (section.faults().stream().noneMatch(fault -> fault.key().equals(whole))) {
            section.fault(key, "is missing; required with the keys beside it: " + allowed);
        }
        return false;
    }

    private static <T extends FileSource<?>> T usable(Section section, T source) {
        try {
            source.read();
        } catch (UnusableFileException e) {
            section.fault(e.key(), Section.quote(section.text(e.key())) + " " + e.getMessage());
        }
        return source;
    }
}
