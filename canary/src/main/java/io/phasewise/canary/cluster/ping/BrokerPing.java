/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.ping;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Times the round trip of the smallest request that every broker answers at once (ApiVersions), on
 * connections of its own with the same security as the canary's other clients; the one-way delay is
 * left to {@link io.phasewise.canary.phases.OneWayDelay}.
 *
 * <p>Each broker has at most one request in flight and is asked at its own times, so that one that
 * hangs delays no other. The times are spread over the period: answers that arrive together would
 * wait for each other.
 *
 * <p>A round trip includes the broker's time to queue and handle the request, which the least of
 * many round trips nearly leaves out. The time to connect is not included. Used by one thread.
 */
public final class BrokerPing implements PingClient {
    /** How soon a broker is looked at again while it is being connected to. */
    private static final long CONNECT_LOOK_NANOS = Duration.ofMillis(20).toNanos();

    private static final double GOLDEN_RATIO = 0.618033988749895;

    /** Learns how long a round trip took. */
    @FunctionalInterface
    public interface Listener {
        /**
         * @param broker its id
         * @param now monotonic nanoseconds
         * @param nanos how long it took, at least 0
         */
        void roundTrip(int broker, long now, long nanos);
    }

    private final KafkaClient client;
    private final Metrics metrics;
    private final long periodNanos;
    private final int timeoutMs;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private final Map<Integer, Target> targets = new HashMap<>();

    /** One broker. */
    private static final class Target {
        Node node;
        long nextAt;
        boolean inFlight;

        Target(Node node, long nextAt) {
            this.node = node;
            this.nextAt = nextAt;
        }
    }

    /**
     * @param clientProperties bootstrap.servers, security and whatever else the canary's clients
     *     are given
     * @param clientId shows up in the brokers' request metrics
     * @param period from one request to a broker to the next
     * @param timeoutMs bound for one round trip; more than 0
     * @param listener called with every round trip
     * @param nanoClock monotonic nanoseconds
     * @throws org.apache.kafka.common.KafkaException when the properties do not make a client
     */
    public static BrokerPing open(
            Map<String, Object> clientProperties,
            String clientId,
            Duration period,
            int timeoutMs,
            Listener listener,
            LongSupplier nanoClock) {
        Map<String, Object> properties = new HashMap<>(clientProperties);
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId);
        properties.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        AdminClientConfig config = new AdminClientConfig(properties);
        Metrics metrics = new Metrics();
        KafkaClient client = ClientUtils.createNetworkClient(
                config,
                config.getList(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG),
                clientId,
                metrics,
                "ping",
                new LogContext("[Ping clientId=" + clientId + "] "),
                new ApiVersions(),
                Time.SYSTEM,
                1,
                timeoutMs,
                null,
                new ManualMetadataUpdater(List.of()),
                new DefaultHostResolver(),
                null,
                null);
        return new BrokerPing(client, metrics, period, timeoutMs, listener, nanoClock);
    }

    BrokerPing(
            KafkaClient client,
            Metrics metrics,
            Duration period,
            int timeoutMs,
            Listener listener,
            LongSupplier nanoClock) {
        this.client = client;
        this.metrics = metrics;
        this.periodNanos = period.toNanos();
        this.timeoutMs = timeoutMs;
        this.listener = listener;
        this.nanoClock = nanoClock;
    }

    @Override
    public void turn(Collection<Node> brokers, Duration atMost) {
        long now = nanoClock.getAsLong();
        forgetOthers(brokers);
        long wait = atMost.toNanos();
        for (Node broker : brokers) {
            Target target = targets.computeIfAbsent(broker.id(), id -> new Target(broker, first(id, now)));
            if (!target.node.equals(broker)) {
                target.node = broker; // it has moved to another address
                client.disconnect(broker.idString());
            }
            if (target.inFlight) {
                continue;
            }
            if (target.nextAt - now <= 0) {
                ask(target, now);
            }
            if (!target.inFlight) {
                wait = Math.min(wait, target.nextAt - now);
            }
        }
        // Rounded up: one that is not due yet would have this return at once, again and again.
        client.poll(TimeUnit.NANOSECONDS.toMillis(Math.max(0, wait) + 999_999), Time.SYSTEM.milliseconds());
    }

    private void forgetOthers(Collection<Node> brokers) {
        Set<Integer> ids = new HashSet<>();
        brokers.forEach(broker -> ids.add(broker.id()));
        for (int known : List.copyOf(targets.keySet())) {
            if (!ids.contains(known)) {
                targets.remove(known);
                client.close(String.valueOf(known));
            }
        }
    }

    private long first(int broker, long now) {
        return now + (long) (broker * GOLDEN_RATIO % 1 * periodNanos);
    }

    private void ask(Target target, long now) {
        if (!client.ready(target.node, Time.SYSTEM.milliseconds())) {
            target.nextAt = now + CONNECT_LOOK_NANOS; // not connected, and may not be for long
            return;
        }
        target.nextAt = now + periodNanos;
        target.inFlight = true;
        long sentAt = nanoClock.getAsLong();
        ClientRequest request = client.newClientRequest(
                target.node.idString(),
                new ApiVersionsRequest.Builder(),
                Time.SYSTEM.milliseconds(),
                true,
                timeoutMs,
                response -> answered(target, sentAt, response));
        client.send(request, Time.SYSTEM.milliseconds());
    }

    private void answered(Target target, long sentAt, ClientResponse response) {
        target.inFlight = false;
        boolean timed = !response.wasDisconnected()
                && !response.wasTimedOut()
                && response.versionMismatch() == null
                && response.authenticationException() == null;
        if (timed) {
            long now = nanoClock.getAsLong();
            listener.roundTrip(target.node.id(), now, now - sentAt);
        }
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            metrics.close();
        }
    }
}
