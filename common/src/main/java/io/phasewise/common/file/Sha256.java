/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash SHA-256. */
public final class Sha256 {

    private Sha256() {}

    /** The 32 bytes of it. */
    public static byte[] of(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
