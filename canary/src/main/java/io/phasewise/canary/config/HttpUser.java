/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.nio.file.Path;

/**
 * Who may read the canary's endpoint.
 *
 * @param name of the user, without a colon
 * @param passwordFile holds the password; white space around it does not count
 */
public record HttpUser(String name, Path passwordFile) {
    private static final int MOST_CHARACTERS = 1024;

    /**
     * Reads the password.
     *
     * @throws UnusableFileException when the file cannot be read or holds none
     */
    public String password() throws UnusableFileException {
        String password = SmallFile.read("password-file", passwordFile).strip();
        if (password.isEmpty() || password.length() > MOST_CHARACTERS) {
            throw new UnusableFileException(
                    "password-file",
                    "holds no password; allowed: 1 to " + MOST_CHARACTERS + " characters");
        }
        return password;
    }
}
