/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;

/**
 * Where the receiver that the broker makes, by the name in {@code metric.reporters}, meets the
 * agent that the JVM has started: static because neither has a way to the other. Either may come
 * first.
 */
final class TelemetryHook {

    private static final long NANOS_PER_MILLISECOND = 1_000_000L;

    private static volatile ClientTelemetryPart part;
    private static boolean wanted;

    private TelemetryHook() {}

    /**
     * The agent is here.
     *
     * @return false when there is one already
     */
    static synchronized boolean install(ClientTelemetryPart agent) {
        if (part != null) {
            return false;
        }
        part = agent;
        if (wanted) {
            agent.start();
        }
        return true;
    }

    /** The agent; null before it is here. */
    static ClientTelemetryPart part() {
        return part;
    }

    /** Forgets the agent. */
    static synchronized void uninstall() {
        part = null;
        wanted = false;
    }

    /** The broker has made a receiver. */
    static synchronized void activate() {
        wanted = true;
        if (part != null) {
            part.start();
        }
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
        ClientTelemetryPart current = part;
        if (current == null) {
            return;
        }
        try {
            current.queue()
                    .offer(
                            sender(context, payload),
                            intervalMillis * NANOS_PER_MILLISECOND,
                            payload.isTerminating(),
                            payload.data());
        } catch (Throwable e) {
            current.queue().failed();
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
                name = orEmpty(software.softwareName());
                version = orEmpty(software.softwareVersion());
            }
        } catch (LinkageError | NullPointerException e) {
            // Then it is not known.
        }
        return new Push.Sender(
                payload.clientInstanceId(), orEmpty(context.clientId()), name, version);
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
