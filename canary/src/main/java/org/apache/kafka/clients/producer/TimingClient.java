/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.LeastLoadedNode;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;

/**
 * Passes everything on to the producer's network client and stamps produce requests. All calls
 * except wakeup() come from the producer's network thread.
 */
final class TimingClient implements KafkaClient {

    /** How often progress is looked at while connections are being set up. */
    private static final long CONNECT_POLL_MS = 20;

    final ProducerConfig config;
    final ApiVersions apiVersions = new ApiVersions();
    final LongSupplier nanoClock;
    final AttemptListener attempts;
    private final Map<String, Connection> connections = new HashMap<>();

    /** Set before the network thread starts. */
    KafkaClient delegate;

    /** Set before the network thread starts. */
    ProducerMetadata metadata;

    final AtomicReference<List<Node>> toConnect = new AtomicReference<>(List.of());

    volatile Completing completing;

    TimingClient(ProducerConfig config, LongSupplier nanoClock, AttemptListener attempts) {
        this.config = config;
        this.nanoClock = nanoClock;
        this.attempts = attempts;
    }

    /** The request being completed, when it is this thread that completes it. */
    Dispatch completingHere() {
        Completing current = completing;
        return current != null && current.thread() == Thread.currentThread() ? current.dispatch() : null;
    }

    @Override
    public ClientRequest newClientRequest(
            String nodeId,
            AbstractRequest.Builder<?> builder,
            long createdTimeMs,
            boolean expectResponse,
            int requestTimeoutMs,
            RequestCompletionHandler callback) {
        RequestCompletionHandler handler =
                builder.apiKey() == ApiKeys.PRODUCE ? new TimedRequest(this, nodeId, builder, callback) : callback;
        return delegate.newClientRequest(nodeId, builder, createdTimeMs, expectResponse, requestTimeoutMs, handler);
    }

    @Override
    public void send(ClientRequest request, long now) {
        if (request.callback() instanceof TimedRequest timed) {
            timed.dispatched();
        }
        delegate.send(request, now);
    }

    Connection connection(String nodeId) {
        return connections.computeIfAbsent(nodeId, id -> new Connection());
    }

    @Override
    public List<ClientResponse> poll(long timeout, long now) {
        return delegate.poll(connectWanted(now) ? timeout : Math.min(timeout, CONNECT_POLL_MS), now);
    }

    /** Starts the connections that were asked for; says whether none is under way. */
    private boolean connectWanted(long now) {
        List<Node> wanted = toConnect.get();
        boolean allTried = true;
        for (Node node : wanted) {
            allTried &= delegate.ready(node, now) || delegate.connectionFailed(node);
        }
        return wanted.isEmpty() || allTried && toConnect.compareAndSet(wanted, List.of());
    }

    @Override
    public boolean isReady(Node node, long now) {
        return delegate.isReady(node, now);
    }

    @Override
    public boolean ready(Node node, long now) {
        return delegate.ready(node, now);
    }

    @Override
    public long connectionDelay(Node node, long now) {
        return delegate.connectionDelay(node, now);
    }

    @Override
    public long pollDelayMs(Node node, long now) {
        return delegate.pollDelayMs(node, now);
    }

    @Override
    public boolean connectionFailed(Node node) {
        return delegate.connectionFailed(node);
    }

    @Override
    public AuthenticationException authenticationException(Node node) {
        return delegate.authenticationException(node);
    }

    @Override
    public void disconnect(String nodeId) {
        delegate.disconnect(nodeId);
    }

    @Override
    public void close(String nodeId) {
        delegate.close(nodeId);
    }

    @Override
    public LeastLoadedNode leastLoadedNode(long now) {
        return delegate.leastLoadedNode(now);
    }

    @Override
    public int inFlightRequestCount() {
        return delegate.inFlightRequestCount();
    }

    @Override
    public boolean hasInFlightRequests() {
        return delegate.hasInFlightRequests();
    }

    @Override
    public int inFlightRequestCount(String nodeId) {
        return delegate.inFlightRequestCount(nodeId);
    }

    @Override
    public boolean hasInFlightRequests(String nodeId) {
        return delegate.hasInFlightRequests(nodeId);
    }

    @Override
    public boolean hasReadyNodes(long now) {
        return delegate.hasReadyNodes(now);
    }

    @Override
    public void wakeup() {
        delegate.wakeup();
    }

    @Override
    public ClientRequest newClientRequest(
            String nodeId, AbstractRequest.Builder<?> builder, long createdTimeMs, boolean expectResponse) {
        return delegate.newClientRequest(nodeId, builder, createdTimeMs, expectResponse);
    }

    @Override
    public void initiateClose() {
        delegate.initiateClose();
    }

    @Override
    public boolean active() {
        return delegate.active();
    }

    @Override
    public void close() throws IOException {
        if (delegate != null) {
            delegate.close();
        }
    }

    /** Produce requests to one broker. */
    static final class Connection {
        long dispatched;
        int outstanding;
    }

    record Completing(Thread thread, Dispatch dispatch) {}
}
