/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.application;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A small application to be scraped: runs {@link OrderClients} and serves its registry at {@code
 * /actuator/prometheus}, as Spring Boot does. Ends when it is killed.
 */
public final class OrderApplication {
    private OrderApplication() {}

    /**
     * @param arguments bootstrap servers, and the port to serve at
     * @throws IOException when the port is taken
     */
    public static void main(String[] arguments) throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HttpServer server =
                HttpServer.create(
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1])),
                        0);
        server.createContext(
                "/actuator/prometheus",
                exchange -> {
                    byte[] body = registry.scrape().getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        try (OrderClients clients = new OrderClients(registry, arguments[0])) {
            while (!Thread.interrupted()) {
                clients.work();
            }
        }
    }
}
