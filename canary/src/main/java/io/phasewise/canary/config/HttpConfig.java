/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.auth.PasswordFile;
import io.phasewise.common.tls.TlsSource;
import java.util.Optional;

/**
 * Where the canary serves its metrics and status, and to whom.
 *
 * @param host address or name to bind, for example 127.0.0.1, or 0.0.0.0 in a container
 * @param port TCP port, 0 to 65535; 0 takes any free one
 * @param tls empty: in the clear
 * @param user empty: nobody is asked
 */
public record HttpConfig(
        String host, int port, Optional<TlsSource> tls, Optional<PasswordFile> user) {
    /** In the clear, for everybody. */
    public static HttpConfig open(String host, int port) {
        return new HttpConfig(host, port, Optional.empty(), Optional.empty());
    }

    /** What a browser is given, without a path. */
    public String scheme() {
        return tls.isPresent() ? "https" : "http";
    }
}
