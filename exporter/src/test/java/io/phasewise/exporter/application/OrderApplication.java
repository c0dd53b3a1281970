/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.application;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.phasewise.common.http.Answer;
import io.phasewise.common.http.HttpEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

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
        int port = Integer.parseInt(arguments[1]);
        try (HttpEndpoint server = HttpEndpoint.named("orders")
                        .get("/actuator/prometheus", any -> Answer.text(200, registry.scrape()))
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                OrderClients clients = new OrderClients(registry, arguments[0])) {
            server.start();
            while (!Thread.interrupted()) {
                clients.work();
            }
        }
    }
}
