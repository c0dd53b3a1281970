/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import io.phasewise.common.file.ImpatientRead;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.HostResolver;

/**
 * Resolves host names and remembers which of them could not be: Kafka's network client only logs
 * that. It waits a quarter of a second at most and then gives the last answer, or none: one thread
 * pings all brokers, and while it waits for one host's name the round trips to the others grow.
 * Thread-safe.
 */
final class RememberingResolver implements HostResolver {
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private final HostResolver resolver;
    private final Map<String, ImpatientRead<InetAddress[]>> lookUps = new ConcurrentHashMap<>();

    /** The last answers, also those that nobody waited for any more. */
    private final Map<String, InetAddress[]> answers = new ConcurrentHashMap<>();

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
            InetAddress[] addresses = lookUp(host);
            failed.remove(host);
            return addresses;
        } catch (UnknownHostException e) {
            failed.add(host);
            throw e;
        }
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        try {
            // One look-up of a host at a time, however often it is asked.
            Optional<InetAddress[]> found = lookUps.computeIfAbsent(
                            host, name -> new ImpatientRead<>("ping-lookup", PATIENCE))
                    .read(() -> {
                        InetAddress[] addresses = resolver.resolve(host);
                        answers.put(host, addresses);
                        return addresses;
                    });
            InetAddress[] last = found.orElse(answers.get(host));
            if (last == null) {
                throw new UnknownHostException(host + ": no answer yet");
            }
            return last;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownHostException unknown) {
                throw unknown;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownHostException(host + ": interrupted");
        }
    }

    /** Whether the latest attempt to resolve a host failed. */
    boolean failed(String host) {
        return failed.contains(host);
    }
}
