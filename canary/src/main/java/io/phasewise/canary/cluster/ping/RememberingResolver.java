/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.ping;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.HostResolver;

/**
 * Resolves host names and remembers which of them could not be: Kafka's network client only logs
 * that. Thread-safe.
 */
final class RememberingResolver implements HostResolver {
    private final HostResolver resolver;
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /**
     * @param resolver does the work
     */
    RememberingResolver(HostResolver resolver) {
        this.resolver = resolver;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        try {
            InetAddress[] addresses = resolver.resolve(host);
            failed.remove(host);
            return addresses;
        } catch (UnknownHostException e) {
            failed.add(host);
            throw e;
        }
    }

    /** Whether the latest attempt to resolve a host failed. */
    boolean failed(String host) {
        return failed.contains(host);
    }
}
