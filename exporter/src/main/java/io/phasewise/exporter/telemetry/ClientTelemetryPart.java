/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.agent.AgentLog;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.instrument.Instrumentation;
import java.time.Clock;
import java.util.function.Consumer;

/**
 * Receives what clients push and shows it in a registry. Costs nothing until a broker makes one of
 * the receivers: then a thread reads what they take.
 */
public final class ClientTelemetryPart {

    private final PushQueue queue;
    private final PushCounts counts;
    private volatile boolean started;

    private ClientTelemetryPart(PushQueue queue, PushCounts counts) {
        this.queue = queue;
        this.counts = counts;
    }

    /**
     * Makes the receivers hand over to a registry. Called once; never throws.
     *
     * @param instrumentation of this JVM
     * @param settings how much is kept
     * @param registry takes the metrics
     */
    public static void install(
            Instrumentation instrumentation, ClientSettings settings, PrometheusRegistry registry) {
        install(
                instrumentation,
                settings,
                registry,
                new AgentLog(System.err, Clock.systemUTC())::error);
    }

    static void install(
            Instrumentation instrumentation,
            ClientSettings settings,
            PrometheusRegistry registry,
            Consumer<String> errorLog) {
        try {
            PushCounts counts = new PushCounts();
            ClientLedger ledger =
                    new ClientLedger(settings, System::nanoTime, System::currentTimeMillis);
            PushQueue queue =
                    new PushQueue(
                            ledger,
                            new PushDecoder(),
                            counts,
                            settings.maxPushBytes(),
                            System::nanoTime,
                            errorLog);
            registry.register(new ClientCollector(ledger, counts));
            if (!TelemetryHook.install(new ClientTelemetryPart(queue, counts))) {
                errorLog.accept("what clients push goes to the agent that was loaded before");
                return;
            }
            // Kafka loads that class for the first push, long after this.
            instrumentation.addTransformer(new PushLimitTransformer(errorLog));
        } catch (Throwable e) {
            errorLog.accept("what clients push is not received, all else goes on: " + e);
        }
    }

    /** A broker has made a receiver. */
    synchronized void start() {
        counts.activate();
        if (!started) {
            started = true;
            Thread reader = new Thread(queue::run, "phasewise-exporter-clients");
            reader.setDaemon(true);
            reader.start();
        }
    }

    /** Whether a broker has made a receiver. */
    boolean isStarted() {
        return started;
    }

    PushQueue queue() {
        return queue;
    }
}
