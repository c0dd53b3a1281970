/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.prometheus.Access;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The server to read, and what gives access to it. */
final class AccessOptions {

    @Option(names = "--prometheus", required = true, paramLabel = "URL")
    private String prometheus;

    @Option(names = "--user", paramLabel = "NAME")
    private String user;

    @Option(names = "--password-file", paramLabel = "FILE")
    private Path passwordFile;

    @Option(names = "--bearer-token-file", paramLabel = "FILE")
    private Path bearerTokenFile;

    @Option(names = "--header", paramLabel = "NAME=VALUE")
    private final Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--ca-file", paramLabel = "FILE")
    private Path caFile;

    @Option(names = "--client-certificate", paramLabel = "FILE")
    private Path clientCertificate;

    @Option(names = "--client-password-file", paramLabel = "FILE")
    private Path clientPasswordFile;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "120")
    private int timeout;

    /** The access; empty where an option is refused, which is then among the faults. */
    Optional<Access> access(List<String> faults) {
        int before = faults.size();
        Optional<URI> server = server(faults);
        if (timeout < 1 || timeout > 3600) {
            faults.add("--timeout: " + timeout + "; allowed: 1 to 3600");
        }
        if ((user == null) != (passwordFile == null)) {
            faults.add("--user and --password-file; allowed: both or neither");
        }
        if (user != null && bearerTokenFile != null) {
            faults.add("--user and --bearer-token-file; allowed: one of them");
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        if (passwordFile != null && user != null) {
            String password = secret("--password-file", passwordFile, faults);
            all.put("Authorization", Access.basic(user, password));
        }
        if (bearerTokenFile != null) {
            String token = secret("--bearer-token-file", bearerTokenFile, faults);
            all.put("Authorization", "Bearer " + token);
        }
        return faults.size() > before
                ? Optional.empty()
                : Optional.of(new Access(server.orElseThrow(), all, Duration.ofSeconds(timeout)));
    }

    private Optional<URI> server(List<String> faults) {
        try {
            URI given = URI.create(prometheus);
            if (given.getUserInfo() != null) {
                faults.add("--prometheus: must not contain a user; allowed: --user and --password-file beside it");
                return Optional.empty();
            }
            if (given.getHost() != null
                    && List.of("http", "https").contains(given.getScheme())
                    && given.getQuery() == null) {
                return Optional.of(given);
            }
        } catch (IllegalArgumentException e) {
            // Refused below.
        }
        faults.add("--prometheus: '%s'; allowed: http://HOST[:PORT][/PATH] or https://".formatted(prometheus));
        return Optional.empty();
    }

    private static String secret(String option, Path file, List<String> faults) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            faults.add(option + ": " + file + " cannot be read: " + e.getClass().getSimpleName());
            return "";
        }
    }

    /**
     * A client that trusts the authorities and shows the certificate that the options name; empty
     * where an option is refused, which is then among the faults.
     */
    Optional<HttpClient> client(List<String> faults) {
        String password =
                clientPasswordFile == null ? "" : secret("--client-password-file", clientPasswordFile, faults);
        if (!faults.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    Access.client(Optional.ofNullable(caFile), Optional.ofNullable(clientCertificate), password));
        } catch (UnusableFileException e) {
            Path file = e.key().equals("--ca-file") ? caFile : clientCertificate;
            faults.add(e.key() + ": " + file + " " + e.getMessage());
        } catch (GeneralSecurityException e) {
            faults.add("--ca-file or --client-certificate cannot be used: " + e.getMessage());
        }
        return Optional.empty();
    }
}
