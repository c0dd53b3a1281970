/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.auth;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The hash of a password, {@code pbkdf2-sha256:ITERATIONS:SALT:HASH} with salt and hash in base64
 * (PBKDF2 of RFC 8018 with HMAC-SHA-256).
 */
public final class PasswordHash {

    /** What OWASP's password storage cheat sheet asks of PBKDF2 with HMAC-SHA-256. */
    private static final int ITERATIONS = 600_000;

    private static final int LEAST_ITERATIONS = 10_000;
    private static final int MOST_ITERATIONS = 10_000_000;
    private static final int BYTES = 32;
    private static final int SALT_BYTES = 16;
    private static final int LEAST_SALT_BYTES = 8;
    private static final String SCHEME = "pbkdf2-sha256";

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /**
     * Hashes a password, with a new salt.
     *
     * @return what {@link #parse} reads
     */
    public static String of(char[] password, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        Base64.Encoder base64 = Base64.getEncoder();
        return String.join(
                ":",
                SCHEME,
                Integer.toString(ITERATIONS),
                base64.encodeToString(salt),
                base64.encodeToString(derive(password, salt, ITERATIONS)));
    }

    /**
     * Reads a hash.
     *
     * @throws IllegalArgumentException when it has another form; the message does not repeat the
     *     text
     */
    public static PasswordHash parse(String text) {
        String[] parts = text.split(":");
        try {
            if (parts.length == 4 && parts[0].equals(SCHEME)) {
                int iterations = Integer.parseInt(parts[1]);
                byte[] salt = Base64.getDecoder().decode(parts[2]);
                byte[] hash = Base64.getDecoder().decode(parts[3]);
                if (iterations >= LEAST_ITERATIONS
                        && iterations <= MOST_ITERATIONS
                        && salt.length >= LEAST_SALT_BYTES
                        && hash.length == BYTES) {
                    return new PasswordHash(iterations, salt, hash);
                }
            }
        } catch (IllegalArgumentException e) {
            // The exception below says it, without the value.
        }
        throw new IllegalArgumentException(
                "not a password hash; allowed is what java -jar phasewise-exporter.jar --hash-password prints");
    }

    /** Whether it is the hash of this password; takes a good part of a second. */
    boolean isOf(char[] password) {
        return MessageDigest.isEqual(hash, derive(password, salt, iterations));
    }

    private static byte[] derive(char[] password, byte[] salt, int iterations) {
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(password, salt, iterations, BYTES * 8))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no PBKDF2WithHmacSHA256", e);
        }
    }
}
