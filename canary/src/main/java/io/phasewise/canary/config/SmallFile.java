/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a file that the configuration names, within bounds; what it holds is left to others. */
final class SmallFile {
    private static final int MOST_BYTES = 262_144;

    private SmallFile() {}

    /**
     * The whole text.
     *
     * @param key the last part of the key that names the file
     * @throws UnusableFileException when it is not there, too large, or not readable; a pipe or a
     *     device could have no end
     */
    static String read(String key, Path file) throws UnusableFileException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new UnusableFileException(key, "is not a file with a content");
            }
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MOST_BYTES + 1);
            }
            if (bytes.length > MOST_BYTES) {
                throw new UnusableFileException(
                        key, "is larger than the " + MOST_BYTES + " bytes that are allowed");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new UnusableFileException(key, "is not there");
        } catch (IOException e) {
            throw new UnusableFileException(key, "cannot be read: " + e.getClass().getSimpleName());
        }
    }
}
