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
    public ReloadingContext(Supplier<SSLContext> current) {
        super(new Current(current), current.get().getProvider(), current.get().getProtocol());
    }

    private static final class Current extends SSLContextSpi {
        private final Supplier<SSLContext> context;

        private Current(Supplier<SSLContext> context) {
            this.context = context;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("made of files, not to be initialized");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return context.get().createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return context.get().createSSLEngine(host, port);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return context.get().getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return context.get().getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.get().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.get().getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return context.get().getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return context.get().getSupportedSSLParameters();
        }
    }
}
