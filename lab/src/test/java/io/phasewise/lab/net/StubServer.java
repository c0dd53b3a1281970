/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** An HTTP server on loopback that gives fixed answers. */
public final class StubServer implements AutoCloseable {

    private final HttpServer server;

    /** Answers nothing yet. */
    public StubServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    /** Answers below a path from now on. */
    public StubServer answer(String path, int status, String body) {
        server.createContext(path, exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        return this;
    }

    /** Takes requests below a path from now on and never answers them. */
    public StubServer silence(String path) {
        server.createContext(path, exchange -> {});
        return this;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Its address, with that path. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
