/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
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
final class TokenServer implements AutoCloseable {
    static final String AUDIENCE = "kafka";
    private static final String KEY_ID = "1";

    private final String client;
    private final String secret;
    private final Duration validity;
    private final KeyPair keys;
    private final HttpServer server;

    /**
     * @param client who may have a token; its subject
     * @param secret the client's password
     * @param validity of a token
     */
    TokenServer(String client, String secret, Duration validity)
            throws IOException, GeneralSecurityException {
        this.client = client;
        this.secret = secret;
        this.validity = validity;
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        keys = generator.generateKeyPair();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/token", this::token);
        server.createContext("/keys", exchange -> answer(exchange, 200, publicKeys()));
        server.start();
    }

    String tokenUrl() {
        return url() + "/token";
    }

    String keysUrl() {
        return url() + "/keys";
    }

    /** Who signs, as tokens say. */
    String issuer() {
        return url();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void token(HttpExchange exchange) throws IOException {
        String basic =
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (client + ":" + secret).getBytes(StandardCharsets.UTF_8));
        if (!basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
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
        Instant now = Instant.now();
        String header = "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + KEY_ID + "\"}";
        String claims =
                "{\"iss\":\"%s\",\"sub\":\"%s\",\"aud\":\"%s\",\"iat\":%d,\"exp\":%d}"
                        .formatted(
                                issuer(),
                                client,
                                AUDIENCE,
                                now.getEpochSecond(),
                                now.plus(validity).getEpochSecond());
        String content =
                encode(header.getBytes(StandardCharsets.UTF_8))
                        + "."
                        + encode(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return content + "." + encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String publicKeys() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                .formatted(KEY_ID, unsigned(key.getModulus()), unsigned(key.getPublicExponent()));
    }

    private static String unsigned(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return encode(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, content.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(content);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
