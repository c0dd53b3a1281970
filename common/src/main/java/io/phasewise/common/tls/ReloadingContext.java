/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.tls;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * Stands before a TLS context that may be another one with the next connection: the JDK's server
 * takes its context once.
 */
public final class ReloadingContext extends SSLContext {

    /**
     * @param current asked with each connection
     */
    public ReloadingContext(Supplier<ServerTls> current) {
        this(current, current.get().context);
    }

    private ReloadingContext(Supplier<ServerTls> current, SSLContext first) {
        super(new Current(current), first.getProvider(), first.getProtocol());
    }

    private static final class Current extends SSLContextSpi {
        private final Supplier<ServerTls> current;

        private Current(Supplier<ServerTls> current) {
            this.current = current;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("made of files, not to be initialized");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return current.get().context.createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return current.get().context.createSSLEngine(host, port);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return current.get().context.getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return current.get().context.getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return current.get().context.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return current.get().context.getClientSessionContext();
        }

        /** What the JDK's server asks of each connection. */
        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            ServerTls tls = current.get();
            SSLParameters parameters = tls.context.getDefaultSSLParameters();
            parameters.setNeedClientAuth(tls.clientsMustHaveCertificates);
            return parameters;
        }
    }
}
