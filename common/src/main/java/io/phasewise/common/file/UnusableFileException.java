/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

/**
 * A file that is named in a configuration is not what it should be. The message repeats nothing of
 * its content, so it may be logged.
 */
public final class UnusableFileException extends Exception {

    private final String key;

    /**
     * @param key the last part of the key that names the file, such as {@code certificate}; empty
     *     where the message names it
     * @param message goes on where the name of the file ends, such as {@code is not there}
     */
    public UnusableFileException(String key, String message) {
        super(message);
        this.key = key;
    }

    /** The last part of the key that names the file; empty where the message names it. */
    public String key() {
        return key;
    }
}
