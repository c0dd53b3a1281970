/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.scrape;

import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.File;

/**
 * The least that makes an agent of the JMX exporter's collector, as the stock agent puts it
 * together: a rule file, the JVM's metrics and client_java's HTTP server. It shows what the
 * collector that our exporter is built on costs under somebody else's rules.
 */
public final class CollectorAgent {
    private CollectorAgent() {}

    /**
     * Called by the JVM.
     *
     * @param argument ADDRESS:PORT:FILE, as for the stock agent
     * @throws Exception what is wrong with the file or the port: the broker does not start
     */
    public static void premain(String argument) throws Exception {
        String[] parts = argument.split(":", 3);
        PrometheusRegistry registry = new PrometheusRegistry();
        JvmMetrics.builder().register(registry);
        new JmxCollector(new File(parts[2]), JmxCollector.Mode.AGENT).register(registry);
        HTTPServer.builder()
                .hostname(parts[0])
                .port(Integer.parseInt(parts[1]))
                .registry(registry)
                .buildAndStart();
    }
}
