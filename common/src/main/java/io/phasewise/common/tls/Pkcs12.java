/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.tls;

import io.phasewise.common.file.ConfiguredFile;
import io.phasewise.common.file.UnusableFileException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;

/** Reads a certificate and its key from a PKCS 12 file. */
public final class Pkcs12 {

    private Pkcs12() {}

    /**
     * What a server or a client shows.
     *
     * @param key the last part of the key that names the file
     * @param password of the store and of its key
     * @throws UnusableFileException when it cannot be read, or the password is another one
     */
    public static KeyManagerFactory keys(String key, Path file, char[] password) throws UnusableFileException {
        byte[] content = ConfiguredFile.bytes(key, file);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(content), password);
            return keys(store, password);
        } catch (GeneralSecurityException | IOException e) {
            throw new UnusableFileException(key, "cannot be used: " + e.getMessage());
        }
    }

    static KeyManagerFactory keys(KeyStore store, char[] password) throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        return keys;
    }
}
