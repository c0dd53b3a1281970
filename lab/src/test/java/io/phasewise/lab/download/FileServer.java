/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.download;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves files as a publisher of releases does, and breaks off, stalls or refuses as a test wants. */
public final class FileServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);

    /** What a request is answered with. */
    public interface Fault {
        /**
         * @param request the first is 1
         * @return bytes of the answer after which it breaks off; negative for a stall after so many; null
         *     for a whole answer
         */
        Integer after(int request);
    }

    private volatile Fault fault = request -> null;
    private volatile boolean ranges = true;
    private volatile int status;

    public FileServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** Where it is, without a slash at the end. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Serves this at a path that begins with a slash. */
    public FileServer with(String path, byte[] content) {
        files.put(path, content);
        return this;
    }

    FileServer failing(Fault how) {
        fault = how;
        return this;
    }

    FileServer withoutRanges() {
        ranges = false;
        return this;
    }

    /** Answers every request so; 0 for as it should. */
    public FileServer answering(int with) {
        status = with;
        return this;
    }

    /** Path and range of each request; also of a proxy's, whose path is the whole URL. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        String authorization = exchange.getRequestHeaders().getFirst("Proxy-Authorization");
        requests.add(exchange.getRequestURI()
                + (range == null ? "" : " " + range)
                + (authorization == null ? "" : " " + authorization));
        int number = requests.size();
        byte[] file = files.get(exchange.getRequestURI().getPath());
        try (exchange;
                OutputStream out = exchange.getResponseBody()) {
            if (status == 407 && authorization == null) {
                exchange.getResponseHeaders().add("Proxy-Authenticate", "Basic realm=\"proxy\"");
                exchange.sendResponseHeaders(status, -1);
            } else if (status != 0 && status != 407) {
                exchange.sendResponseHeaders(status, -1);
            } else if (exchange.getRequestURI().getPath().startsWith("/moved/")) {
                String to = exchange.getRequestURI().getPath().substring("/moved".length());
                exchange.getResponseHeaders().add("Location", uri() + to);
                exchange.sendResponseHeaders(302, -1);
            } else if (file == null) {
                exchange.sendResponseHeaders(404, -1);
            } else {
                serve(exchange, out, file, range, fault.after(number));
            }
        } catch (InterruptedException testIsOver) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(HttpExchange exchange, OutputStream out, byte[] file, String range, Integer after)
            throws IOException, InterruptedException {
        int from = range == null || !ranges ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
        if (from > 0 && from >= file.length) {
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        if (from > 0) {
            exchange.getResponseHeaders()
                    .add("Content-Range", "bytes %d-%d/%d".formatted(from, file.length - 1, file.length));
        }
        int length = file.length - from;
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, length);
        out.write(file, from, after == null ? length : Math.min(length, Math.abs(after)));
        out.flush();
        if (after != null && after < 0) {
            over.await();
        }
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
