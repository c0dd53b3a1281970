/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.security;

import io.phasewise.common.auth.PasswordHash;
import io.phasewise.common.file.JarResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * Makes the secrets for docker-compose.secured.yml: a certificate authority whose key is not kept,
 * a certificate for each container, random passwords, and files with them in the form that each
 * container reads, from the templates in {@code secured.txt}. Each container has a directory of its
 * own with only what it needs. A container has in clear only its own passwords and those of the
 * containers that it connects to; so only Prometheus, which scrapes all of them, has access to all.
 *
 * <p>Containers run as users of their own, so their files must be readable for everybody. The
 * directory above them is not: only its owner may enter it, so that nobody else on the host reads
 * them.
 */
public final class ComposeSecrets {

    private static final Duration VALIDITY = Duration.ofDays(397);
    private static final int BCRYPT_COST = 10;
    private static final String TEMPLATE = "(?m)^=== ";

    /** A password by its name, in clear or as a hash; or the directory of all files. */
    private static final Pattern SECRET = Pattern.compile("\\{(?:(bcrypt|pbkdf2) )?([a-z-]+)}");

    private final SecureRandom random = new SecureRandom();
    private final Map<String, String> secrets = new HashMap<>();
    private final CertificateAuthority authority;

    /**
     * @param clock for the time from which certificates are valid
     */
    public ComposeSecrets(InstantSource clock) {
        authority = new CertificateAuthority("phasewise-compose", clock, VALIDITY);
    }

    /**
     * Writes all files.
     *
     * @param directory that is created
     * @throws java.nio.file.FileAlreadyExistsException when it exists: secrets in use are not
     *     overwritten
     * @throws IOException when it cannot be written
     */
    public void write(Path directory) throws IOException {
        Files.createDirectory(directory);
        permit(directory, "rwx------");
        TlsFiles.writeTrustPem(directory.resolve("ca.pem"), authority.certificate());
        secrets.put("directory", directory.toAbsolutePath().normalize().toString());
        for (String template : templates()) {
            int headEnd = template.indexOf('\n');
            Path file = directory.resolve(template.substring(0, headEnd));
            Path place = file.getParent();
            if (!Files.exists(place)) {
                addContainer(place);
            }
            Files.writeString(file, filled(template.substring(headEnd + 1)));
            permit(file, place.equals(directory) ? "rw-------" : "rw-r--r--");
        }
    }

    private static List<String> templates() {
        String all = JarResource.text(ComposeSecrets.class, "secured.txt");
        return Pattern.compile(TEMPLATE)
                .splitAsStream(all)
                .filter(t -> !t.isEmpty())
                .toList();
    }

    private void addContainer(Path own) throws IOException {
        String name = own.getFileName().toString();
        permit(Files.createDirectory(own), "rwxr-xr-x");
        TlsFiles.writeTrustPem(own.resolve("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(own.resolve("server.pem"), authority.issue(name, List.of(name)));
        permit(own.resolve("ca.pem"), "rw-r--r--");
        permit(own.resolve("server.pem"), "rw-r--r--");
    }

    private static void permit(Path file, String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private String filled(String template) {
        // Kafka takes the whole file as the password, so there must be no line break in it.
        boolean alone = SECRET.matcher(template.strip()).matches();
        return SECRET.matcher(alone ? template.strip() : template)
                .replaceAll(found -> Matcher.quoteReplacement(secret(found)));
    }

    private String secret(MatchResult found) {
        String clear = secrets.computeIfAbsent(found.group(2), name -> password());
        if (found.group(1) == null) {
            return clear;
        }
        if (found.group(1).equals("pbkdf2")) {
            return PasswordHash.of(clear.toCharArray(), random);
        }
        byte[] salt = new byte[16];
        random.nextBytes(salt);
        return OpenBSDBCrypt.generate(clear.getBytes(StandardCharsets.UTF_8), salt, BCRYPT_COST);
    }

    /** A password of 144 random bits, in characters that need no quoting. */
    private String password() {
        byte[] bits = new byte[18];
        random.nextBytes(bits);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    }
}
