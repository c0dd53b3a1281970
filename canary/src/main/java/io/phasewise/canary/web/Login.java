/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.Supplier;

/** Lets through who knows the user and the password of the moment. */
final class Login extends BasicAuthenticator {
    private final String name;
    private final Supplier<String> password;

    Login(String name, Supplier<String> password) {
        super("phasewise-canary", StandardCharsets.UTF_8);
        this.name = name;
        this.password = password;
    }

    @Override
    public Result authenticate(HttpExchange exchange) {
        try {
            return super.authenticate(exchange);
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            // The header is not base64, or there is no colon in what it holds.
            return new Failure(400);
        }
    }

    @Override
    public boolean checkCredentials(String user, String given) {
        // Both, and in a time that does not tell how much of it was right.
        return isEqual(user, name) & isEqual(given, password.get());
    }

    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
