/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.requests.AbstractRequest;

/** A network client without a network: says what was asked of it, and answers when told to. */
final class FakeKafkaClient {
    final List<ClientRequest> sent = new ArrayList<>();
    final Set<Integer> notReady = new HashSet<>();
    final Set<Integer> failed = new HashSet<>();
    final List<String> gone = new ArrayList<>();
    long polledForMs;

    /** Why brokers refuse who connects; null when they do not. */
    AuthenticationException refusal;

    KafkaClient client() {
        return (KafkaClient) Proxy.newProxyInstance(
                KafkaClient.class.getClassLoader(),
                new Class<?>[] {KafkaClient.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "ready" -> !notReady.contains(((Node) arguments[0]).id());
                    case "connectionFailed" -> failed.contains(((Node) arguments[0]).id());
                    case "authenticationException" -> refusal;
                    case "newClientRequest" ->
                        new ClientRequest(
                                (String) arguments[0],
                                (AbstractRequest.Builder<?>) arguments[1],
                                0,
                                "ping",
                                0,
                                true,
                                1_000,
                                (RequestCompletionHandler) arguments[5]);
                    case "send" -> {
                        sent.add((ClientRequest) arguments[0]);
                        yield null;
                    }
                    case "poll" -> {
                        polledForMs = (long) arguments[0];
                        yield List.of();
                    }
                    case "close", "disconnect" -> {
                        gone.add(arguments == null ? "all" : (String) arguments[0]);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** The broker answers the oldest request that it has got. */
    void answer(int broker, boolean disconnected) {
        String to = String.valueOf(broker);
        ClientRequest request = sent.stream()
                .filter(each -> each.destination().equals(to))
                .findFirst()
                .get();
        sent.remove(request);
        request.callback().onComplete(new ClientResponse(null, null, to, 0, 0, disconnected, null, null, null));
    }

    List<String> asked() {
        return sent.stream().map(ClientRequest::destination).toList();
    }
}
