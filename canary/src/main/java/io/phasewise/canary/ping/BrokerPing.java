/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ping;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Times the round trip of the smallest request that every broker answers at once (ApiVersions), on
 * a connection of its own with the same security as the canary's other clients; the one-way delay
 * is left to {@link io.phasewise.canary.clock.OneWayDelay}.
 *
 * <p>Includes the broker's time to queue and handle the request, which the least of many round
 * trips nearly leaves out. The time to connect is not included.
 *
 * <p>Not safe for use by several threads. It blocks: give it a thread of its own.
 */
public final class BrokerPing implements AutoCloseable {

    private final LongSupplier nanoClock;
    private final int timeoutMs;
    private final Metrics metrics;
    private final NetworkClient client;
    private long answeredAt;

    /**
     * @param clientProperties bootstrap.servers, security and whatever else the canary's clients
     *     are given
     * @param clientId shows up in the brokers' request metrics
     * @param timeoutMs bound for connecting and, again, for one round trip; more than 0
     * @param nanoClock monotonic nanoseconds
     * @throws KafkaException when the properties do not make a client
     */
    public BrokerPing(
            Map<String, Object> clientProperties,
            String clientId,
            int timeoutMs,
            LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.timeoutMs = timeoutMs;
        Map<String, Object> properties = new HashMap<>(clientProperties);
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId);
        properties.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        AdminClientConfig config = new AdminClientConfig(properties);
        this.metrics = new Metrics();
        this.client =
                ClientUtils.createNetworkClient(
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
    }

    /**
     * Makes one round trip, connecting first where there is no connection.
     *
     * @param broker where to
     * @return nanoseconds, at least 0; empty when the broker does not answer in time, refuses, or
     *     the connection breaks, and for as long after that as reconnect.backoff.ms forbids to try
     */
    public OptionalLong roundTripNanos(Node broker) {
        try {
            if (!NetworkClientUtils.awaitReady(client, broker, Time.SYSTEM, timeoutMs)) {
                return OptionalLong.empty();
            }
            ClientRequest request =
                    client.newClientRequest(
                            broker.idString(),
                            new ApiVersionsRequest.Builder(),
                            Time.SYSTEM.milliseconds(),
                            true,
                            timeoutMs,
                            this::answered);
            long sentAt = nanoClock.getAsLong();
            NetworkClientUtils.sendAndReceive(client, request, Time.SYSTEM);
            return OptionalLong.of(answeredAt - sentAt);
        } catch (IOException | KafkaException e) {
            // Not answering is a finding, not a fault: the caller counts it.
            client.disconnect(broker.idString());
            return OptionalLong.empty();
        }
    }

    private void answered(ClientResponse response) {
        answeredAt = nanoClock.getAsLong();
    }

    @Override
    public void close() {
        client.close();
        metrics.close();
    }
}
