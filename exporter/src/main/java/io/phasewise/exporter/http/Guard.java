/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.phasewise.exporter.config.BasicAuth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Lets through who knows the user and the password. A password that was right is remembered as a
 * digest under a random key, so that only the first request pays for the slow hash; one password at
 * a time is tried, so that guessing costs a broker one core at most and mostly none.
 */
final class Guard implements HttpHandler {

    private final Supplier<BasicAuth> users;
    private final HttpHandler guarded;
    private final Semaphore trial = new Semaphore(1);
    private final byte[] key = new byte[32];
    private volatile Known known = new Known(null, null);

    /** A password that was right, for as long as its hash is asked for. */
    private static final class Known {
        private final BasicAuth users;
        private final byte[] digest;

        private Known(BasicAuth users, byte[] digest) {
            this.users = users;
            this.digest = digest;
        }
    }

    /**
     * @param users asked with each request
     */
    Guard(Supplier<BasicAuth> users, HttpHandler guarded) {
        this.users = users;
        this.guarded = guarded;
        new SecureRandom().nextBytes(key);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
            refuse(exchange);
            return;
        }
        byte[] digest = digest(header);
        BasicAuth current = users.get();
        Known last = known;
        if (last.users == current && MessageDigest.isEqual(last.digest, digest)) {
            guarded.handle(exchange);
            return;
        }
        if (!trial.tryAcquire()) {
            ExporterServer.answer(exchange, 429, "another password is being checked\n");
            return;
        }
        boolean right;
        try {
            right = isRight(current, header);
        } finally {
            trial.release();
        }
        if (right) {
            known = new Known(current, digest);
            guarded.handle(exchange);
        } else {
            refuse(exchange);
        }
    }

    private static boolean isRight(BasicAuth users, String header) {
        try {
            String credentials =
                    new String(
                            Base64.getDecoder().decode(header.substring(6).trim()),
                            StandardCharsets.UTF_8);
            int colon = credentials.indexOf(':');
            return colon >= 0
                    && users.accepts(
                            credentials.substring(0, colon),
                            credentials.substring(colon + 1).toCharArray());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private byte[] digest(String header) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(key);
            return sha.digest(header.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static void refuse(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"phasewise-exporter\"");
        ExporterServer.answer(exchange, 401, "user and password, please\n");
    }
}
