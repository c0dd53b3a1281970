/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phasewise.experiments.measure.HttpPages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Stands in front of an exporter and tells its marks by another clock: hours away and 50 ppm faster
 * or slower. On one host all processes share a clock, so that a reader that relied on it would not
 * be found out.
 */
final class ShiftedMarks implements AutoCloseable {
    private static final double DRIFT = 50e-6;
    private static final Pattern STAMPS = Pattern.compile(
            "(?<= (received|append_began|appended|committed|dequeued|handled|completed|answered|sent|began|ended|made)=)"
                    + "-?[0-9]+");
    private static final Pattern ARRIVALS = Pattern.compile("(?<=[=,][0-9]{1,9}:(-?[0-9]{1,20}:)?)-?[0-9]+");

    private final HttpPages pages = new HttpPages();
    private final HttpServer server;
    private final String exporter;
    private final long origin = System.nanoTime();
    private final long shift;
    private final double drift;

    /**
     * @param address host and port of the exporter
     * @param seed of the shift
     */
    ShiftedMarks(String address, long seed) throws IOException {
        Random random = new Random(seed);
        shift = TimeUnit.HOURS.toNanos(random.nextInt(48) - 24) + random.nextInt();
        drift = random.nextBoolean() ? DRIFT : -DRIFT;
        exporter = "http://" + address;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String page = pages.get(exporter + exchange.getRequestURI()).text();
            String shifted = ARRIVALS.matcher(STAMPS.matcher(page).replaceAll(this::shifted))
                    .replaceAll(this::shifted);
            byte[] body = shifted.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String shifted(MatchResult stamp) {
        long nanos = Long.parseLong(stamp.group());
        return Long.toString(nanos + shift + Math.round(drift * (nanos - origin)));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
