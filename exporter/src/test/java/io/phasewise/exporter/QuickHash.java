/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Hashes of passwords with the fewest rounds that are allowed: tests ask many times. */
public final class QuickHash {
    private static final int ROUNDS = 10_000;
    private static final byte[] SALT = "16 bytes of salt".getBytes(StandardCharsets.US_ASCII);

    private QuickHash() {}

    public static String of(String password) {
        try {
            byte[] hash =
                    SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                            .generateSecret(
                                    new PBEKeySpec(password.toCharArray(), SALT, ROUNDS, 256))
                            .getEncoded();
            Base64.Encoder base64 = Base64.getEncoder();
            return "pbkdf2-sha256:"
                    + ROUNDS
                    + ":"
                    + base64.encodeToString(SALT)
                    + ":"
                    + base64.encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
