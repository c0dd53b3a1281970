/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import io.phasewise.exporter.http.ExporterServer;
import io.phasewise.exporter.timing.RequestTiming;
import io.phasewise.exporter.timing.TimingSettings;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.instrument.Instrumentation;
import java.net.InetSocketAddress;

/**
 * Puts the parts together, in a broker's JVM: configuration, request timing, JMX, endpoint. What
 * cannot be had is left out and said in one line; nothing is thrown.
 */
final class Exporter {

    private final AgentLog log;

    Exporter(AgentLog log) {
        this.log = log;
    }

    void start(String arguments, Instrumentation instrumentation) {
        try {
            AgentArguments parsed = AgentArguments.parse(arguments);
            PrometheusRegistry registry = new PrometheusRegistry();
            RequestTiming.install(instrumentation, TimingSettings.defaults(), registry);
            JvmMetrics.builder().register(registry);
            InetSocketAddress address =
                    parsed.host()
                            .map(host -> new InetSocketAddress(host, parsed.port()))
                            .orElseGet(() -> new InetSocketAddress(parsed.port()));
            int port = ExporterServer.start(address, registry).port();
            log.info("serving on port " + port);
        } catch (Throwable e) {
            log.error(e.toString());
        }
    }
}
