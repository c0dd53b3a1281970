/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import io.phasewise.canary.topic.Failures;
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
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Times the round trip of the smallest request that every broker answers at once (ApiVersions), on
 * connections of its own with the same security as the canary's other clients; the one-way delay is
 * left to {@link io.phasewise.canary.phases.OneWayDelay}. Tells why a broker cannot be asked.
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

    /**
     * A connection that is refused or closed fails sooner than this; one that fails later got no
     * answer.
     */
    private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final double GOLDEN_RATIO = 0.618033988749895;

    /** Learns how long a round trip took, or why there was none. */
    @FunctionalInterface
    public interface Listener {
        /**
         * @param broker its id
         * @param now monotonic nanoseconds
         * @param nanos how long it took, at least 0
         */
        void roundTrip(int broker, long now, long nanos);

        /**
         * A broker could not be connected to, or did not answer. Called again at each attempt.
         *
         * @param broker with the address that was tried
         * @param now monotonic nanoseconds
         * @param reason why, in words
         */
        default void failed(Node broker, long now, String reason) {}
    }

    private final KafkaClient client;
    private final Metrics metrics;
    private final long periodNanos;
    private final int timeoutMs;
    private final Listener listener;
    private final RememberingResolver hosts;
    private final LongSupplier nanoClock;
    private final Map<Integer, Target> targets = new HashMap<>();

    /** A broker, and the state of its pings. */
    private static final class Target {
        Node node;
        long nextAt;
        boolean inFlight;

        /** When the attempt to connect that is under way began; null while none is. */
        Long connectingSince;

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
        RememberingResolver hosts = new RememberingResolver(new DefaultHostResolver());
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
                hosts,
                null,
                null);
        return new BrokerPing(client, metrics, period, timeoutMs, listener, hosts, nanoClock);
    }

    public BrokerPing(
            KafkaClient client,
            Metrics metrics,
            Duration period,
            int timeoutMs,
            Listener listener,
            RememberingResolver hosts,
            LongSupplier nanoClock) {
        this.client = client;
        this.metrics = metrics;
        this.periodNanos = period.toNanos();
        this.timeoutMs = timeoutMs;
        this.listener = listener;
        this.hosts = hosts;
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
                target.connectingSince = null;
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
        // Rounded up: otherwise this would return at once, again and again, until the next request is due.
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
        if (!isConnected(target, now)) {
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

    /** Connects when it is time to, and tells of an attempt that has failed. */
    private boolean isConnected(Target target, long now) {
        if (target.connectingSince != null && client.connectionFailed(target.node)) {
            failed(target, now, now - target.connectingSince);
            target.connectingSince = null;
        }
        if (client.ready(target.node, Time.SYSTEM.milliseconds())) {
            target.connectingSince = null;
            return true;
        }
        if (!client.connectionFailed(target.node)) {
            target.connectingSince = target.connectingSince == null ? (Long) now : target.connectingSince;
        } else if (hosts.failed(target.node.host())) {
            failed(target, now, 0); // it could not even begin to connect
        }
        return false;
    }

    private void failed(Target target, long now, long afterNanos) {
        AuthenticationException refusal = client.authenticationException(target.node);
        String reason;
        if (refusal instanceof SslAuthenticationException) {
            reason = "the TLS handshake fails: " + Failures.describe(refusal);
        } else if (refusal != null) {
            reason = "authentication fails: " + Failures.describe(refusal);
        } else if (hosts.failed(target.node.host())) {
            reason = "unknown host";
        } else if (afterNanos >= SILENCE_NANOS) {
            // Without how long it took, which differs each time: the same problem must have the same words.
            reason = "no answer";
        } else {
            reason = "the connection is refused or closed";
        }
        listener.failed(target.node, now, reason);
    }

    private void answered(Target target, long sentAt, ClientResponse response) {
        target.inFlight = false;
        boolean timed = !response.wasDisconnected()
                && !response.wasTimedOut()
                && response.versionMismatch() == null
                && response.authenticationException() == null;
        long now = nanoClock.getAsLong();
        if (timed) {
            listener.roundTrip(target.node.id(), now, now - sentAt);
        } else {
            failed(target, now, now - sentAt);
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
