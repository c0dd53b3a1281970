/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.auth;

import io.phasewise.common.file.ConfiguredFile;
import io.phasewise.common.file.FileSource;
import io.phasewise.common.file.UnusableFileException;
import java.nio.file.Path;
import java.util.Set;

/**
 * A user, and the file with his password; white space around it does not count. Faults name the key
 * {@code password-file}.
 */
public final class PasswordFile implements FileSource<BasicAuth> {

    private static final String KEY = "password-file";
    private static final int MOST_CHARACTERS = 1024;

    private final String user;
    private final Path file;

    /**
     * @param user without a colon
     */
    public PasswordFile(String user, Path file) {
        this.user = user;
        this.file = file;
    }

    @Override
    public Set<Path> files() {
        return Set.of(file);
    }

    @Override
    public BasicAuth read() throws UnusableFileException {
        String password = ConfiguredFile.text(KEY, file).strip();
        if (password.isEmpty() || password.length() > MOST_CHARACTERS) {
            throw new UnusableFileException(KEY, "holds no password; allowed: 1 to " + MOST_CHARACTERS + " characters");
        }
        return BasicAuth.withPassword(user, password);
    }
}
