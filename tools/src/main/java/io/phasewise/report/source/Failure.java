/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import javax.net.ssl.SSLException;

/**
 * What went wrong on the way to a server, in words, with the option that may help.
 *
 * @param cause as the HTTP client has it
 * @param closedDoor whether it may be the server's refusal after a TLS handshake: its word is lost
 *     where the request that is sent meanwhile finds the connection closed
 */
record Failure(Throwable cause, boolean closedDoor) {

    String words() {
        if (cause instanceof ConnectException) {
            return causedBy(cause, UnresolvedAddressException.class)
                    ? "the host is not known here (DNS, /etc/hosts)"
                    : "no connection";
        }
        if (cause instanceof HttpTimeoutException) {
            return "timed out; see --timeout";
        }
        if (causedBy(cause, CertPathBuilderException.class)) {
            return "its certificate is not signed by a trusted authority; see --ca-file";
        }
        String message = cause.getMessage();
        String words = message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message;
        return cause instanceof SSLException || closedDoor ? words + "; see --ca-file and --client-certificate" : words;
    }

    private static boolean causedBy(Throwable e, Class<? extends Throwable> type) {
        return e != null && (type.isInstance(e) || causedBy(e.getCause(), type));
    }
}
