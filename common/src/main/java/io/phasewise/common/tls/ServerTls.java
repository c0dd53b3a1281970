/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.tls;

import javax.net.ssl.SSLContext;

/** What an endpoint's connections are made of, as read from files. */
public final class ServerTls {

    /** With the endpoint's certificate, and the authorities of clients where there are any. */
    final SSLContext context;

    /** Whether a client without a trusted certificate is refused. */
    public final boolean clientsMustHaveCertificates;

    ServerTls(SSLContext context, boolean clientsMustHaveCertificates) {
        this.context = context;
        this.clientsMustHaveCertificates = clientsMustHaveCertificates;
    }
}
