/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.marks.RequestMark;
import java.util.Set;

/**
 * Which of the clients whose requests brokers report are this canary's own: agents report those of every canary.
 *
 * @param consumers client ids of the consumers of its probes, one for each profile
 * @param producers what the client ids of its producers begin with, one for each profile
 */
public record OwnClients(Set<String> consumers, Set<String> producers) {
    public OwnClients {
        consumers = Set.copyOf(consumers);
        producers = Set.copyOf(producers);
    }

    /** Whether a request is of use here; a page of the first form does not say whose a produce request was. */
    boolean sent(RequestMark request) {
        return switch (request.api) {
            case FETCH -> consumers.contains(request.client);
            case PRODUCE -> request.client.isEmpty() || producers.stream().anyMatch(request.client::startsWith);
            case PING -> false;
        };
    }
}
