/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Tells whether files have changed, by hashes of their content: nothing of a secret is kept. */
public final class Fingerprints {

    private Fingerprints() {}

    /**
     * What is in the files now.
     *
     * @return equal to an earlier answer as long as no content has changed; a file that cannot be
     *     read counts as empty
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
            return Base64.getEncoder().encodeToString(Sha256.of(Files.readAllBytes(file)));
        } catch (IOException unreadable) {
            return "";
        }
    }
}
