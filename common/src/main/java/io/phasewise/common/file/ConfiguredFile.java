/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a file that a configuration names; what it holds is left to others. */
public final class ConfiguredFile {

    /** A bundle of all public certificate authorities has a quarter of this. */
    private static final int MOST_BYTES = 1 << 20;

    private ConfiguredFile() {}

    /**
     * The whole content.
     *
     * @param key the last part of the key that names the file
     * @throws UnusableFileException when it is absent, too large or not readable, or is no regular
     *     file: a pipe or a device could have no end
     */
    public static byte[] bytes(String key, Path file) throws UnusableFileException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new UnusableFileException(key, "is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new UnusableFileException(key, "is larger than the " + MOST_BYTES + " bytes that are allowed");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new UnusableFileException(key, "is not there");
        } catch (AccessDeniedException e) {
            throw new UnusableFileException(key, "may not be read by this user");
        } catch (IOException e) {
            throw new UnusableFileException(
                    key, "cannot be read: " + e.getClass().getSimpleName());
        }
    }

    /** As {@link #bytes}, as text in UTF-8. */
    public static String text(String key, Path file) throws UnusableFileException {
        return new String(bytes(key, file), StandardCharsets.UTF_8);
    }
}
