/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;

/**
 * An identity provider for tests: gives one client its token (OAuth 2, client credentials), and
 * everybody the key that signed it. No more of the protocol than Kafka asks for.
 */
final class TokenServer implements AutoCloseable {
    private final String client;
    private final String authorization;
    private final Duration validity;
    private final RsaJsonWebKey key;
    private final HttpServer server;

    /**
     * @param client who may have a token; its subject
     * @param secret the client's password
     * @param validity of a token
     */
    TokenServer(String client, String secret, Duration validity) throws IOException, JoseException {
        this.client = client;
        byte[] credentials = (client + ":" + secret).getBytes(StandardCharsets.UTF_8);
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
        this.validity = validity;
        key = RsaJwkGenerator.generateJwk(2048);
        key.setKeyId("1");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/token", this::token);
        server.createContext("/keys", exchange -> answer(exchange, 200, new JsonWebKeySet(key).toJson()));
        server.start();
    }

    String tokenUrl() {
        return issuer() + "/token";
    }

    String keysUrl() {
        return issuer() + "/keys";
    }

    /** Who signs, as tokens say. */
    String issuer() {
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
        JwtClaims claims = new JwtClaims();
        claims.setIssuer(issuer());
        claims.setSubject(client);
        claims.setAudience("kafka");
        NumericDate ends = NumericDate.now();
        claims.setIssuedAt(NumericDate.now());
        ends.addSeconds(validity.toSeconds());
        claims.setExpirationTime(ends);
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
        token.setKeyIdHeaderValue(key.getKeyId());
        token.setKey(key.getPrivateKey());
        token.setPayload(claims.toJson());
        try {
            return token.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
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
