/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * An identity provider for tests: gives one client its token (OAuth 2, client credentials), and
 * everybody the key that signed it. No more of the protocol than Kafka asks for.
 */
public final class TokenServer implements AutoCloseable {
    private final String client;
    private final String authorization;
    private final Duration validity;
    private final KeyPair key;
    private final HttpServer server;

    /**
     * @param client who may have a token; its subject
     * @param secret the client's password
     * @param validity of a token
     */
    public TokenServer(String client, String secret, Duration validity) throws IOException, GeneralSecurityException {
        this.client = client;
        byte[] credentials = (client + ":" + secret).getBytes(StandardCharsets.UTF_8);
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
        this.validity = validity;
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        key = generator.generateKeyPair();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/token", this::token);
        server.createContext("/keys", exchange -> answer(exchange, 200, keys()));
        server.start();
    }

    /** Where a token is to be had. */
    public String tokenUrl() {
        return issuer() + "/token";
    }

    /** Where brokers find the key. */
    public String keysUrl() {
        return issuer() + "/keys";
    }

    /** Who signs, as tokens say. */
    public String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void token(HttpExchange exchange) throws IOException {
        if (!authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            answer(exchange, 401, "{\"error\":\"invalid_client\"}");
            return;
        }
        answer(
                exchange,
                200,
                "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":%d}"
                        .formatted(signed(), validity.toSeconds()));
    }

    private String signed() {
        long now = Instant.now().getEpochSecond();
        String claims = "{\"iss\":\"%s\",\"sub\":\"%s\",\"aud\":\"kafka\",\"iat\":%d,\"exp\":%d}"
                .formatted(issuer(), client, now, now + validity.toSeconds());
        String content = base64("{\"alg\":\"RS256\",\"kid\":\"1\"}".getBytes(StandardCharsets.UTF_8))
                + "."
                + base64(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key.getPrivate());
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return content + "." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String keys() {
        RSAPublicKey half = (RSAPublicKey) key.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"1\",\"alg\":\"RS256\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                .formatted(base64(half.getModulus()), base64(half.getPublicExponent()));
    }

    /** Without the byte that Java puts before a number for its sign. */
    private static String base64(BigInteger number) {
        byte[] bytes = number.toByteArray();
        boolean signed = bytes.length > 1 && bytes[0] == 0;
        return base64(signed ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            byte[] content = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, content.length);
            exchange.getResponseBody().write(content);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
