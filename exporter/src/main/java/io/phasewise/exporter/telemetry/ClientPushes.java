/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.instrument.CallSite;
import io.phasewise.exporter.instrument.Hook;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;

/**
 * Receives what clients push and shows it in a registry. Costs nothing until a broker makes one of
 * the receivers: then a thread reads what they take.
 *
 * <p>Static where the receiver that the broker makes, by the name in {@code metric.reporters},
 * meets the agent that the JVM has started: neither has a way to the other. Either may come first.
 */
public final class ClientPushes {

    private static volatile ClientPushes agent;
    private static boolean wanted;

    private final PushQueue queue;
    private volatile boolean started;

    private ClientPushes(PushQueue queue) {
        this.queue = queue;
    }

    /**
     * Makes the receivers hand over to a registry.
     *
     * @param settings how much is kept
     * @param registry takes the metrics
     * @param errorLog takes a line when pushes cannot be read
     * @return the hooks that this needs
     */
    public static List<Hook> start(
            ClientSettings settings, PrometheusRegistry registry, Consumer<String> errorLog) {
        ClientLedger ledger =
                new ClientLedger(settings, System::nanoTime, System::currentTimeMillis);
        ClientPushes telemetry =
                new ClientPushes(
                        new PushQueue(ledger, settings.maxPushBytes, System::nanoTime, errorLog));
        GaugeWithCallback.builder()
                .name("kafka_exporter_client_telemetry_active")
                .help(
                        "1 once the broker hands over what clients push: metric.reporters names the"
                                + " receiver.")
                .callback(metric -> metric.call(telemetry.started ? 1 : 0))
                .register(registry);
        telemetry.queue.counts.register(registry);
        ledger.memory().register(registry);
        registry.register(new ClientCollector(ledger));
        synchronized (ClientPushes.class) {
            agent = telemetry;
            if (wanted) {
                telemetry.receive();
            }
        }
        return List.of(
                pushLimit("org.apache.kafka.common.telemetry.internals.ClientTelemetryUtils"));
    }

    /**
     * Bounds what Kafka decompresses of a push, where Kafka sets no limit itself: its method then
     * has no parameter for one.
     *
     * @param type Kafka's class, which it loads for the first push
     */
    static Hook pushLimit(String type) {
        return new Hook(
                "push_limit",
                "what clients push is decompressed without a limit; set telemetry.max.bytes low",
                () -> {},
                new CallSite(type, "decompress", "\\((\\[B|L[^;]+;)L[^;]+;\\).*")
                        .resultOf("wrapForInput", InputStream.class, PushLimit.class, "bounded")
                        .ifThere());
    }

    /** Forgets the agent. */
    static synchronized void forget() {
        agent = null;
        wanted = false;
    }

    /** The broker has made a receiver. */
    static synchronized void activate() {
        wanted = true;
        if (agent != null) {
            agent.receive();
        }
    }

    private void receive() {
        if (!started) {
            started = true;
            Thread reader = new Thread(queue::run, "phasewise-exporter-clients");
            reader.setDaemon(true);
            reader.start();
        }
    }

    /** Where pushes go; null before there are an agent and a receiver. */
    static PushQueue queue() {
        ClientPushes current = agent;
        return current == null || !current.started ? null : current.queue;
    }

    /**
     * A broker hands over a push. Never throws, never waits.
     *
     * @param intervalMillis how often the client was told to push; 0 not known
     */
    static void push(
            AuthorizableRequestContext context,
            long intervalMillis,
            ClientTelemetryPayload payload) {
        PushQueue current = queue();
        if (current == null) {
            return;
        }
        try {
            current.offer(
                    sender(context, payload),
                    TimeUnit.MILLISECONDS.toNanos(intervalMillis),
                    payload.isTerminating(),
                    payload.data());
        } catch (Throwable e) {
            current.counts.add(PushCounts.Result.FAILED);
        }
    }

    private static Push.Sender sender(
            AuthorizableRequestContext context, ClientTelemetryPayload payload) {
        String name = "";
        String version = "";
        try {
            if (context instanceof RequestContext) {
                // Not in the interface; the same field in Kafka 3.7 to 4.4.
                ClientInformation software = ((RequestContext) context).clientInformation;
                name = Objects.toString(software.softwareName(), "");
                version = Objects.toString(software.softwareVersion(), "");
            }
        } catch (LinkageError | NullPointerException e) {
            // Then it is not known.
        }
        return new Push.Sender(
                payload.clientInstanceId(),
                Objects.toString(context.clientId(), ""),
                name,
                version);
    }
}
