/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Tells whether files have changed, by hashes of their content: nothing of a secret is kept. */
public final class Fingerprints {

    /** Far more than a keystore has. */
    private static final long MOST_BYTES = 16L << 20;

    private static final int PART_BYTES = 1 << 13;

    private Fingerprints() {}

    /**
     * What is in the files now.
     *
     * @return equal to an earlier answer as long as no content has changed; a file that cannot be
     *     read, is no regular one or is larger than 16 MiB counts as empty
     */
    public static Map<Path, String> of(Collection<Path> files) {
        Map<Path, String> hashes = new TreeMap<>();
        for (Path file : files) {
            hashes.put(file, hash(file));
        }
        return hashes;
    }

    private static String hash(Path file) {
        try {
            // A pipe or a device could have no end.
            if (!Files.isRegularFile(file)) {
                return "";
            }
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] part = new byte[PART_BYTES];
            long left = MOST_BYTES;
            try (InputStream in = Files.newInputStream(file)) {
                for (int read = in.read(part); read >= 0; read = in.read(part)) {
                    digest.update(part, 0, read);
                    left -= read;
                    if (left < 0) {
                        return "";
                    }
                }
            }
            return Base64.getEncoder().encodeToString(digest.digest());
        } catch (IOException unreadable) {
            return "";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
