/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

/**
 * A file that is named in the configuration is not what it should be; nothing of it is repeated.
 */
public final class UnusableFileException extends Exception {
    private final String key;

    /**
     * @param key the last part of the key that is to blame
     * @param message goes on where the name of the file ends
     */
    UnusableFileException(String key, String message) {
        super(message);
        this.key = key;
    }

    /** The last part of the key that is to blame. */
    public String key() {
        return key;
    }
}
