/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Dozens of clients on 127.0.0.1 that request {@code /metrics} at once, in every format. Some never
 * read the answer, the others read it and ask again. Tests check what that does to the process.
 */
public final class ScrapeFlood implements AutoCloseable {
    /** Formats; a server that caches pages makes one for each. */
    private static final List<String> FORMATS = List.of(
            "text/plain",
            "application/openmetrics-text; version=1.0.0",
            "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited");

    private static final int CONNECT_MILLIS = 2_000;

    private final int port;
    private final List<Socket> silent = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    private volatile boolean closed;

    /**
     * Starts the clients.
     *
     * @param silent number of clients that never read; {@link #again} adds as many
     * @param reading number of clients that read
     */
    public ScrapeFlood(int port, int silent, int reading) {
        this.port = port;
        for (int i = 0; i < reading; i++) {
            String format = FORMATS.get(i % FORMATS.size());
            Thread thread = new Thread(() -> readOn(format), "flood-" + i);
            thread.setDaemon(true);
            readers.add(thread);
            thread.start();
        }
        again(silent);
    }

    /**
     * Starts this many more clients that never read, as the server may have closed the earlier
     * ones.
     */
    public void again(int clients) {
        for (int i = 0; i < clients; i++) {
            try {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(1024); // so that the answer stays with the server
                socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
                silent.add(socket);
                ask(socket, FORMATS.get(i % FORMATS.size()));
            } catch (IOException e) {
                // The server may refuse a client.
            }
        }
    }

    private void readOn(String format) {
        while (!closed) {
            try {
                scrape("127.0.0.1", port, format, Duration.ofSeconds(10));
            } catch (IOException e) {
                // The same here.
            }
        }
    }

    /**
     * Scrapes once, from an address of this host.
     *
     * @param from its address, such as 127.0.0.2
     * @param patience how long the whole answer may take
     * @return the answer with its headers
     * @throws IOException when there is none in time
     */
    public static String scrape(String from, int port, Duration patience) throws IOException {
        return scrape(from, port, FORMATS.get(1), patience);
    }

    private static String scrape(String from, int port, String format, Duration patience) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        StringBuilder answer = new StringBuilder();
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
            ask(socket, format);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            byte[] buffer = new byte[1 << 16];
            for (int read = 0; read >= 0; read = in.read(buffer)) {
                answer.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
                int left = (int) ((end - System.nanoTime()) / 1_000_000);
                if (left <= 0) {
                    throw new IOException("no whole answer within " + patience);
                }
                socket.setSoTimeout(left);
            }
        }
        return answer.toString();
    }

    private static void ask(Socket socket, String format) throws IOException {
        String request = "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept: " + format + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (Socket each : silent) {
            each.close();
        }
        try {
            for (Thread each : readers) {
                each.join(15_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
