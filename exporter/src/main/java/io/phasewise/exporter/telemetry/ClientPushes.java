/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.instrument.CallSite;
import io.phasewise.exporter.instrument.Hook;
import io.phasewise.exporter.series.SeriesRegistry;
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
 * <p>Partly static, because the broker makes the receiver (by its name in {@code metric.reporters})
 * and the JVM starts the agent: neither has a reference to the other. Either may come first.
 */
public final class ClientPushes {

    /** Reads what the receivers take; null before there is an agent. */
    private static volatile PushQueue agent;

    /** Whether the broker has made a receiver. */
    private static volatile boolean wanted;

    private ClientPushes() {}

    /**
     * Makes the receivers hand over to a registry.
     *
     * @param settings how much is kept
     * @param registry takes the metrics
     * @param errorLog takes a line when pushes cannot be read
     * @return the hooks that this needs
     */
    public static List<Hook> start(ClientSettings settings, PrometheusRegistry registry, Consumer<String> errorLog) {
        ClientMemory memory = new ClientMemory(settings.maxMemoryBytes, registry);
        ClientLedger ledger = new ClientLedger(settings, memory, System::nanoTime, System::currentTimeMillis);
        registry.register(new ClientCollector(ledger));
        new SeriesRegistry(registry).read("kafka_exporter_client_telemetry_active", () -> wanted ? 1 : 0);
        int most = settings.maxPushBytes;
        PushQueue queue = new PushQueue(ledger, memory, most, registry, System::nanoTime, errorLog);
        synchronized (ClientPushes.class) {
            agent = queue;
            if (wanted) {
                queue.start();
            }
        }
        return List.of(
                pushLimit("org.apache.kafka.common.telemetry.internals.ClientTelemetryUtils"),
                UnreadablePushes.hook("kafka.network.Processor"));
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
        if (!wanted && agent != null) {
            agent.start();
        }
        wanted = true;
    }

    /** Where pushes go; null before there are an agent and a receiver. */
    static PushQueue queue() {
        return wanted ? agent : null;
    }

    /**
     * A broker hands over a push. Never throws, never waits.
     *
     * @param intervalMillis how often the client was told to push; 0 not known
     */
    static void push(AuthorizableRequestContext context, long intervalMillis, ClientTelemetryPayload payload) {
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
            current.failed();
        }
    }

    private static Push.Sender sender(AuthorizableRequestContext context, ClientTelemetryPayload payload) {
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
        return new Push.Sender(payload.clientInstanceId(), Objects.toString(context.clientId(), ""), name, version);
    }
}
